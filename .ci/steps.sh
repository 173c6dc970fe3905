# The steps of CI as functions, for `.ci/run`, which runs all of them, and `.ci/step`, which runs one. Each says its name first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say_step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }

packages=()
need() { # need COMMAND PACKAGE: Debian's package, unless the command is there
  command -v "$1" >/dev/null 2>&1 || packages+=("$2")
}

# The headless shell needs half the processor time of the whole browser. A Debian without it has the browser.
browser_package() { apt-cache show chromium-headless-shell >/dev/null 2>&1 && echo chromium-headless-shell || echo chromium; }

install_packages() {
  [ ${#packages[@]} -eq 0 ] && [ -z "${browser_is_missing:-}" ] && return
  apt-get update -qq
  [ -n "${browser_is_missing:-}" ] && packages+=("$(browser_package)")
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
}

# What every step needs. Debian's packages come beside it: `wait_for_packages` before the first step that needs one.
install() {
  rm -rf .results && mkdir .results
  # What other processes use from here on: durations are judged by it.
  cat /proc/stat >.results/processor-at-start 2>/dev/null || true
  say_step "Install"
  need redis-server redis-server
  need jq jq
  need python3 python3
  need curl curl
  need openssl openssl
  need ip iproute2
  need haproxy haproxy
  need pgbouncer pgbouncer
  command -v chromium-headless-shell >/dev/null 2>&1 || browser_is_missing=1
  [ -d /usr/share/fonts/truetype/noto ] || need noto fonts-noto-core
  [ -d /usr/share/fonts/truetype/dejavu ] || need dejavu fonts-dejavu-core
  ls -d /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || need /usr/lib/postgresql/15/bin/postgres postgresql
  # Three downloads at once. The check needs no Debian package, so only the tests wait for those.
  install_packages &
  packages_installed=$!
  npm run -s runtimes &
  runtimes_installed=$!
  npm ci --no-audit --no-fund
  wait "$runtimes_installed"
  export PATH="$PWD/node_modules/.bin:$PATH"
  # Compiled modules, for every process that the steps below start.
  export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/node-compile"
  node --version
  # What a developer has set for a part of the tests must not make the whole smaller.
  unset DATABASE_URL MIGRATION_DATABASE_URL REDIS_URL POSTGRES_HOME "${!TEST_@}" "${!BENCH_@}"
}

wait_for_packages() {
  wait "$packages_installed"
  CHROMIUM=$(command -v chromium-headless-shell || command -v chromium)
  export CHROMIUM
}

oldest_postgres() { dirname "$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres | sort -V | head -1)")"; }

# `--shard=1/4` runs a fourth of the files of a step of tests.
run_tests() { # run_tests REPORT COMMAND…
  local report=$1
  shift
  node scripts/run-tests.ts "$PWD/.results/$report.json" "$@"
}

check() {
  say_step "Check"
  npm run -s check
}

build() {
  say_step "Build"
  npm run -s build
}

tests() {
  say_step "Tests on the packaged PostgreSQL, and those that PostgreSQL decides on $("$(oldest_postgres)/bin/postgres" --version)"
  OLDEST_POSTGRES_HOME=$(oldest_postgres) TEST_RUNTIMES=required run_tests server vitest run "$@"
}

benchmarks() {
  say_step "Smoke forms of the benchmarks"
  run_tests benchmarks vitest run --config bench/vitest.config.ts
}

browser() {
  say_step "The console in a browser, on the oldest PostgreSQL"
  POSTGRES_HOME=$(oldest_postgres) run_tests console vitest run --config console/e2e/vitest.config.ts "$@"
}

conformance() {
  say_step "Conformance, on the oldest PostgreSQL"
  POSTGRES_HOME=$(oldest_postgres) run_tests conformance npm run -s conformance
}

summary() {
  say_step "Done"
  node scripts/guarantees.ts
  node scripts/summary.ts .results
}
