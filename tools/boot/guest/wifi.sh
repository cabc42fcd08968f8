# In the machine: two simulated radios. The machine opens its own Wi-Fi on one, a station joins by the other.
# Prints the station's address, and what the table answers it.
modprobe mac80211_hwsim radios=2
read_setting() { sed -n "s/^$1 = \"\(.*\)\"/\1/p" /etc/companion/wifi.toml; }
for second in $(seq 120); do
    ap=$(nmcli -g GENERAL.DEVICES connection show --active companion 2>/dev/null)
    [ -n "$ap" ] && nmcli -t -f GENERAL.STATE connection show --active companion | grep -q activated && break
    sleep 1
done
[ -n "$ap" ] || { echo "the Wi-Fi did not open"; nmcli device; exit 1; }
radio=$([ "$ap" = wlan0 ] && echo wlan1 || echo wlan0)
nmcli device set $radio managed no
ip netns add station
iw phy "$(cat /sys/class/net/$radio/phy80211/name)" set netns name station
wpa_passphrase "$(read_setting name)" "$(read_setting password)" > /run/station.conf
in_station() { ip netns exec station "$@"; }
in_station ip link set lo up
in_station wpa_supplicant -B -D nl80211 -i $radio -c /run/station.conf > /dev/null
for second in $(seq 120); do
    in_station iw dev $radio link | grep -q Connected && break
    sleep 1
done
# No program may start from /run.
cat > /tmp/lease.sh <<'LEASE'
#!/bin/sh
[ "$1" != bound ] || { ip address add $ip/24 dev $interface; ip route add default via $router; echo "lease $ip"; }
LEASE
chmod +x /tmp/lease.sh
in_station busybox udhcpc -i $radio -n -q -t 20 -s /tmp/lease.sh 2>&1 | grep ^lease
in_station curl -s -m 60 -o /dev/null -w 'answer %{http_code}\n' "http://$(read_setting address):8080/join"
