# In the machine: two silent devices, then a sensor board is plugged into the simulated USB port.
# Prints the milliseconds from the plug to the table's status, and the port.
modprobe dummy_hcd
sleep infinity | companion board-sim --link /run/board --page-port 0 > /run/board.log 2>&1 &
python3 /run/tools/silent.py /dev/ttyUSB0 /dev/ttyUSB1 > /run/silent.log 2>&1 &
for second in $(seq 120); do [ -e /run/board ] && [ -e /dev/ttyUSB1 ] && break; sleep 1; done
modprobe g_serial idVendor=0x2341 idProduct=0x0042 use_acm=1
python3 /run/tools/bridge.py /dev/ttyGS0 /run/board > /run/bridge.log 2>&1 &
python3 /run/tools/plugged.py
