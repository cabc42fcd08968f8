# In the machine: a chip of simulated lines, and the panel's pins on it. Prints the folder of its lines.
set -e
modprobe configfs
insmod /run/tools/gpio-simulated.ko
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/panel
mkdir -p $chip/bank
echo 28 > $chip/bank/num_lines
echo 1 > $chip/live
name=$(cat $chip/bank/chip_name)
mkdir -p /etc/systemd/system/companion.service.d
cat > /etc/systemd/system/companion.service.d/panel.conf <<UNIT
[Service]
# A Pi 4's revision, since this machine has none, and the chip.
Environment=RPI_LGPIO_REVISION=c03111 RPI_LGPIO_CHIP=${name#gpiochip}
UNIT
grep -q 'pins = "gpio"' /etc/companion/table.toml 2>/dev/null || printf '[panel]\npins = "gpio"\n' >> /etc/companion/table.toml
systemctl daemon-reload
systemctl restart companion
echo /sys/devices/platform/$(cat $chip/dev_name)/$name
