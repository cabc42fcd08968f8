@"%~dp0program\python\python.exe" -m companion %*
