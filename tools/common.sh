# Shared by the scripts beside it: sourced with the script's name, it goes to the project's root.

script=$1
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build

# A line about what is being done, for people who watch and for those who read it afterwards.
say() {
    echo "$script: $*" >&2
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

# step DOING COMMAND...: runs the command, and says what is done and how long it took.
step_times=()
step() {
    local doing=$1 start=$SECONDS
    shift
    say "$doing"
    "$@"
    local took=$((SECONDS - start))
    step_times+=("$(printf '%4d:%02d  %s' $((took / 60)) $((took % 60)) "$doing")")
    if ((took >= 10)); then say "$doing: done in $((took / 60)):$(printf %02d $((took % 60))) min"; fi
}

# How long every step took, in minutes and seconds.
say_times() {
    say "minutes by step"
    printf '%s\n' "${step_times[@]}" "$(printf '%4d:%02d  all' $((SECONDS / 60)) $((SECONDS % 60)))" >&2
}

# build TARGET...: those, or everything. A terminal sees ninja count; in a file there is a line at each quarter.
build() {
    local status=0
    cmake --build --preset release ${1:+--target "$@"} 2>&1 | tee -a "$log" | show_build || status=$?
    if ((status)); then fail "could not build ${*:-everything}"; fi
}

show_build() {
    if [[ -t 2 ]]; then
        awk -F'[][/]' '/^\[[0-9]+\/[0-9]+\]/ { printf "\r%s of %s", $2, $3 > "/dev/stderr"; any = 1 }
                       END { if (any) print "" > "/dev/stderr" }'
    else
        awk -F'[][/]' -v script="$script" '
            /^\[[0-9]+\/[0-9]+\]/ && int(4 * $2 / $3) > quarter {
                quarter = int(4 * $2 / $3)
                printf "%s: built %s of %s\n", script, $2, $3 > "/dev/stderr" }'
    fi
}

# Everything up to a configured release build.
prepare() {
    step "setting up" tools/setup
    export PATH="$PWD/build/venv/bin:$PATH"
    step "configuring" quietly "configure the build" cmake --preset release
}

# count_groups MODEL: of how many groups there is something to tune.
count_groups() {
    build/bin/emulsion tune "$1" --threads 2 --list --json - 2>>"$log" | build/venv/bin/python -c 'import json, sys; print(len(json.load(sys.stdin)["tasks"]))'
}

# torch_environment FOLDER REQUIREMENTS...: a Python environment with PyTorch for CPUs, made where what it is to have has
# changed.
torch_environment() {
    local venv=$1 stamp=$1/setup.stamp key requirements=()
    shift
    key=$(cat "$@" bench/python/cuda_stand_ins.py | sha256sum)
    if [[ -f $stamp && $(<"$stamp") == "$key" ]]; then
        return
    fi
    local file
    for file in "$@"; do
        requirements+=(-r "$file")
    done
    say "installing PyTorch into $venv"
    quietly "make the Python environment $venv" build/venv/bin/python -m venv --clear "$venv"
    quietly "install the Python packages of $*" \
        "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --no-deps "${requirements[@]}"
    quietly "make libraries in place of CUDA's" "$venv/bin/python" bench/python/cuda_stand_ins.py "$venv"
    echo "$key" >"$stamp"
}
