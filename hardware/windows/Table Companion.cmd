@start "Table Companion" "%~dp0program\python\python.exe" "%~dp0program\start.py" %*
