# In the machine: two silent devices, then a sensor board is plugged into the simulated USB port.
# Prints what plugged.py does.
modprobe -a dummy_hcd libcomposite usb_f_acm
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
gadget=/sys/kernel/config/usb_gadget/board
mkdir -p $gadget/configs/c.1 $gadget/functions/acm.0
echo 0x2341 > $gadget/idVendor
echo 0x0042 > $gadget/idProduct
ln -s $gadget/functions/acm.0 $gadget/configs/c.1
sleep infinity | companion board-sim --link /run/board --page-port 0 > /run/board.log 2>&1 &
python3 /run/tools/silent.py /dev/ttyUSB0 /dev/ttyUSB1 > /run/silent.log 2>&1 &
for second in $(seq 120); do [ -e /run/board ] && [ -e /dev/ttyUSB1 ] && break; sleep 1; done
python3 /run/tools/bridge.py /dev/ttyGS0 /run/board > /run/bridge.log 2>&1 &
python3 /run/tools/plugged.py $gadget/UDC
