# Sourced by the scripts: what a machine needs, installed only where it is missing.

say() { printf '%s\n' "$*"; }
trap 'printf "\nInterrupted. Run it again to go on.\n" >&2; exit 130' INT

fail() { printf '%s\n' "$*" >&2; exit 1; }

require_node() {
  command -v node >/dev/null || fail 'Node.js is missing: install version 20.17 or newer, for example from https://nodejs.org'
  command -v npm >/dev/null || fail 'npm is missing: it comes with Node.js'
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 17) ? 0 : 1)' ||
    fail "Node.js $(node --version) is too old: 20.17 or newer is needed"
}

# need_packages "PACKAGE=what it is for" …
need_packages() {
  local missing=() entry name
  for entry in "$@"; do
    name=${entry%%=*}
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$entry")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say 'These Debian packages are missing and will be installed:'
  for entry in "${missing[@]}"; do printf '  %-24s %s\n' "${entry%%=*}" "${entry#*=}"; done
  command -v apt-get >/dev/null || fail 'This machine has no apt-get: install the programs above yourself, then start again.'
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "Installing needs root, and there is no sudo. As root: apt-get install ${missing[*]%%=*}"
    say 'Installing needs root: sudo may ask for your password.'
    as_root=(sudo)
  fi
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]%%=*}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "Installing failed; all that apt-get said is in $log. Mend it, then start again."
  fi
  rm -f "$log"
}

# with_progress COMMAND …: runs it, and on file descriptor 3 says every PROGRESS_S seconds (15) that it goes on, and with what.
with_progress() {
  local status=0 ticker
  tell_progress "$$" &
  ticker=$!
  "$@" || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  return "$status"
}

# Ends by itself when the script is gone.
tell_progress() {
  local begun=$SECONDS told=$SECONDS
  while kill -0 "$1" 2>/dev/null; do
    sleep 0.5
    [ $((SECONDS - told)) -ge "${PROGRESS_S:-15}" ] || continue
    told=$SECONDS
    printf '  … %d s: %s\n' "$((SECONDS - begun))" "$(work_below "$1")" >&3
  done
}

# What the processes below one are at: a compiler stands in the folder of the package that it compiles.
work_below() {
  local all=" $1 " pid parent name folder
  while read -r pid parent name; do
    case $all in *" $parent "*) all+="$pid " ;; *) continue ;; esac
    case $name in cc1 | cc1plus | make) ;; *) continue ;; esac
    folder=$(readlink "/proc/$pid/cwd" 2>/dev/null) || continue
    folder=${folder##*/node_modules/}
    printf 'compiling %s' "${folder%%/build*}"
    return
  done < <(sed -n 's/^\([0-9]*\) (\(.*\)) . \([0-9]*\) .*/\1 \3 \2/p' /proc/[0-9]*/stat 2>/dev/null | sort -n)
  printf 'fetching and unpacking packages'
}

# The npm packages of package-lock.json, installed again only when it, Node.js or the processor changed.
install_npm_packages() {
  local stamp=node_modules/.installed-for want
  want="$(sha256sum package-lock.json | cut -d' ' -f1) $(node --version) $(node -p process.arch)"
  [ "$(cat "$stamp" 2>/dev/null)" = "$want" ] && return 0
  [ -L node_modules ] && fail "node_modules is a link to $(readlink node_modules): an installation would empty that. Remove the link first."
  say 'Installing the npm packages (the first time half a minute, or two to three minutes where no ready sqlite3 can be had and it is compiled) …'
  local log
  log=$(mktemp)
  if ! with_progress npm ci --no-audit --no-fund 3>&1 >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "npm ci failed; all that it said is in $log."
  fi
  rm -f "$log"
  printf '%s' "$want" >"$stamp"
}

# dist/ from src/ and tools/, again only when a source changed.
build_program() {
  local want
  want=$(find src tools scripts/lib/build-program.mjs scripts/lib/build-packs.mjs tsconfig.json package-lock.json -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
  [ "$(cat dist/.built-from 2>/dev/null)" = "$want" ] && return 0
  say 'Building …'
  rm -rf dist
  npm run --silent build
  chmod +x dist/main.js
  printf '%s' "$want" >dist/.built-from
}

RUN_PACKAGES=(
  'alsa-utils=records from the microphone and plays to the speaker'
  'espeak-ng=speaks'
  'git=keeps how-tos and reports with their versions'
  'openssh-client=sends them elsewhere'
)
BUILD_PACKAGES=(
  'g++=compiles sqlite3 where no ready file can be had'
  'make=the same'
  'python3=the same'
)
TEST_PACKAGES=(
  'pulseaudio=a virtual sound card'
  'pulseaudio-utils=plays into it and records from it'
  'libasound2-plugins=lets ALSA programs use it'
  'festival=the second speech engine'
  'festvox-kallpc16k=its voice'
  'mosquitto=an MQTT broker of other authors'
  'mosquitto-clients=sends messages as other authors do'
  'python3-pymodbus=a Modbus server and client of other authors'
  'python3-openpyxl=reads the sheets that are exported'
  'mbpoll=a Modbus client of yet others'
  'libmodbus-dev=a Modbus server in C, compiled in the tests'
  'socat=serial lines without a serial port'
  'systemd=checks the unit file'
  'openssh-server=a server that git pushes to'
)
