# Shared by the scripts beside it: sourced with the script's name, it goes to the project's root.

script=$1
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build

# A progress line, for people who watch.
say() {
    if [[ -t 2 ]]; then echo "$script: $*" >&2; fi
}

# The end: what the log says last, and one sentence.
fail() {
    tail -n 40 "$log" >&2
    echo "tools/$script: $*; the whole log is in $log." >&2
    exit 1
}

# quietly WHAT COMMAND...: runs the command with its output in $log; where it fails, so does the
# script, with "could not WHAT".
quietly() {
    local what=$1
    shift
    "$@" >>"$log" 2>&1 || fail "could not $what"
}

# Everything up to a configured release build.
prepare() {
    tools/setup
    export PATH="$PWD/build/venv/bin:$PATH"
    say "configuring"
    quietly "configure the build" cmake --preset release
}
