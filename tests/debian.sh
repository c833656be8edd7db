#!/bin/sh
# Installs the real mail servers that tests/mail uses, the browser of tests/browser and promtool; or the packages that are named.
# None is started as a service: the tests run private ones.
set -eu
packages="${*:-postfix dovecot-imapd dovecot-lmtpd openssl chromium prometheus}"
missing=""
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "left out: whatever needs$missing, which cannot be installed here (needs root on Debian)" >&2
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    trap 'rm -f "$policy"' EXIT
fi
echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 $missing >/dev/null
