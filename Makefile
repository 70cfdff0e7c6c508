# Needs only python3 (3.11 or later) and make; everything else goes into .venv.
PYTHON ?= python3
BIN = .venv/bin
SOURCES = src tests examples benchmarks docs
TEMPLATES = src/handan/web/templates
# Tests start the command many times: without bytecode on disk each start would compile the whole package anew.
unexport PYTHONDONTWRITEBYTECODE
# constraints.txt holds versions, also for a part of the extras; requirements.lock the same with the hashes of their files.
PINS = $(BIN)/uv pip compile --universal --python-version 3.11 --no-annotate --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make lock' --quiet
LOCK = $(PINS) --extra dev

.PHONY: messages demo serve test test-all quick check fix bench forecasts earlier-games learned-entries calibrated circles comparison coulom peers cluster predict coverage-of-intervals coverage-of-ratings own-models card-recovery load journeys abuse pumped endurance server federation faults docs site coverage mutants fuzz coverage-fuzz lock package clean lint types tests postgresql beside adding axe pictures evidence
.DEFAULT_GOAL := demo

.venv/ready: pyproject.toml requirements.lock
	$(PYTHON) -m venv .venv
	$(BIN)/python -m tests.install requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

messages: .venv/ready ## gather the messages of the pages anew, and compile every language's catalog
	$(BIN)/python -m tests.catalogs

demo: .venv/ready ## rate real results and a bundled club, and show what can be asked
	@$(BIN)/python examples/demo.py

serve: .venv/ready ## populated clubs in the browser, thrown away at the end
	$(BIN)/handan serve --demo

check: lint types ## lint, format, types, import contracts

test: lint ## what people rely on, in minutes
	@$(MAKE) --no-print-directory --jobs 2 quick types

test-all: lint ## everything that must hold; while a test waits, what runs beside all of them has its processor
	@$(MAKE) --no-print-directory --jobs 2 tests beside

lint: .venv/ready ## lint and format
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/djhtml --check --tabwidth 2 $(TEMPLATES)

types: .venv/ready ## types and import contracts
	$(BIN)/mypy
	$(BIN)/lint-imports

quick: .venv/ready ## tests that repeat no other one, on SQLite
	$(BIN)/python -m pytest -n auto -m "not extended"

tests: .venv/ready ## all tests, on SQLite
	$(BIN)/python -m pytest -n auto

postgresql: .venv/ready ## the tests marked `database`, on PostgreSQL; PROCESSES=0 in this process
	HANDAN_TEST_DATABASE=postgresql $(BIN)/python -m pytest -n $(or $(PROCESSES),auto) -m database \
		$(sort $(shell grep -rl --include 'test_*.py' 'mark\.database' tests))

beside: types ## types, then tests on PostgreSQL in one process, printed when they end
	@mkdir -p .cache
	@$(MAKE) --no-print-directory postgresql PROCESSES=0 > .cache/postgresql.txt 2>&1; status=$$?; cat .cache/postgresql.txt; exit $$status

fix: .venv/ready ## format, and mend what can be mended
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/djhtml --tabwidth 2 $(TEMPLATES)

bench: .venv/ready ## speed beside other programs and plain C, as ratios in one run
	$(BIN)/python -m benchmarks

forecasts: .venv/ready ## log-loss of each system's defaults on sets of real games, if they lie beside the checkout
	$(BIN)/python -m benchmarks.forecasts

earlier-games: .venv/ready ## whether training on earlier games hurts, over all pairs of these sets, with and without ranks
	$(BIN)/python -m benchmarks.earlier_games

learned-entries: .venv/ready ## what it earns that newcomers enter where those like them stood, into docs/compare.md
	$(BIN)/python -m benchmarks.learned_entries

calibrated: .venv/ready ## the worst year of every system whose law is calibrated, on these sets and on made ones
	$(BIN)/python -m benchmarks.calibrated

circles: .venv/ready ## settings learned in small clubs beside the defaults, on circles cut out of the same sets
	$(BIN)/python -m benchmarks.circles

comparison: .venv/ready ## all systems on all of these sets, with intervals, into docs/real-games.md; sets already done are kept
	$(BIN)/python -m benchmarks.comparison

coulom: .venv/ready ## the comparison of Coulom (2008), table 1, on other games, into docs/real-games.md
	$(BIN)/python -m benchmarks.coulom

peers: .venv/ready ## other programs on the same real games, one step ahead, into docs/peers.md
	$(BIN)/python -m benchmarks.peers_ahead
	$(BIN)/python -m benchmarks.play_by_play

cluster: .venv/ready ## forecasts on all cores, a Dask and a Ray cluster are those of one process, also with a worker killed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[cluster]'
	$(BIN)/python -m tests.ray_cluster

evidence: .venv/ready ## what comparing and tuning cost, in seconds of the processor: small clubs, a federation, a server
	$(BIN)/python -m benchmarks.evidence

predict: .venv/ready ## 10,000 forecasts with a thousand strangers, at once and call by call
	$(BIN)/python -m benchmarks.predicting

coverage-of-intervals: .venv/ready ## how often the 95 % intervals of a comparison hold the truth
	$(BIN)/python -m benchmarks.coverage

coverage-of-ratings: .venv/ready ## how often 50, 80 and 95 % intervals of ratings and forecasts hold the truth, into docs/benchmarks.md
	$(BIN)/python -m benchmarks.rating_coverage

own-models: .venv/ready ## 200 ledgers from each of six systems' own odds: does a comparison find out which? Half an hour
	$(BIN)/python -m benchmarks.own_models

card-recovery: .venv/ready ## how often fit-card finds the cards that are planted in invented clubs
	$(BIN)/python -m benchmarks.card_recovery

load: .venv/ready ## eight writers and sixteen readers of a club server for a minute: nothing lost; LOAD="--against REV" and other options
	$(BIN)/python -m benchmarks.load $(LOAD)

server: .venv/ready ## what pages, entries in every order of dates, corrections and a new process cost over the wire; SERVER="--games 1300000", --database postgresql
	$(BIN)/python -m benchmarks.server $(SERVER)

federation: .venv/ready ## twenty years of a federation's tournaments: load, list, verification, pages, a correction of the first year; FEDERATION="--players 400 --years 2"
	$(BIN)/python -m benchmarks.federation $(FEDERATION)

journeys: .venv/ready ## what everybody is answered by every page and call after journeys of all kinds; JOURNEYS="--compare FOLDER" prints what differs from what JOURNEYS="--record FOLDER" kept
	$(BIN)/python -m benchmarks.journeys $(JOURNEYS)

pumped: .venv/ready ## how the time of each reader grows with a text that is made to take long: seconds for n and 2n bytes
	$(BIN)/python -m benchmarks.pumped

abuse: .venv/ready ## what one visitor, file or form may cost: seconds and memory
	$(BIN)/python -m benchmarks.abuse

endurance: .venv/ready ## five thousand single entries in one process: as fast, and as small, as after five
	$(BIN)/python -m benchmarks.endurance

adding: .venv/ready ## a day's games added to saved ratings of up to ten million, and the same to the bit; ADDING="--games 1000000" takes fewer
	$(BIN)/python -m benchmarks.adding $(ADDING)

faults: .venv/ready ## writers killed at random points two hundred times: nothing lost or half-written
	$(BIN)/python -m benchmarks.faults

docs: .venv/ready ## the page on the command line, made from the commands
	$(BIN)/python docs/make_cli.py

axe: .venv/ready ## what axe-core finds on every page by role, width, look and language: AXE=axe.min.js, beside make serve
	$(BIN)/python -m benchmarks.accessibility $(AXE)

pictures: .venv/ready ## the pictures of pages in the documentation, taken from the server that make serve has started
	$(BIN)/python docs/make_pictures.py

site: .venv/ready ## the documentation as a site in build/site, without anything from elsewhere
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

coverage: .venv/ready ## lines and branches that the tests reach, also as pages in build/coverage; TESTS= takes a part of them
	HANDAN_KERNELS=plain $(BIN)/python -m pytest -n auto --cov=handan --cov-report=term --cov-report=html $(TESTS)

mutants: .venv/ready ## changed formulas that no test notices: FILE=src/handan/systems/elo.py TESTS="tests/…" COUNT=20
	$(BIN)/python -m tests.mutants $(FILE) --count $(or $(COUNT),20) --tests $(TESTS)

fuzz: .venv/ready ## the readers on far more mutated files than the tests try
	HANDAN_FUZZ=100 $(BIN)/python -m pytest -n auto -m fuzz

coverage-fuzz: .venv/ready ## the readers under a fuzzer that follows coverage, for ten minutes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	$(BIN)/python -m tests.coverage_fuzz -max_total_time=600

lock: .venv/ready ## exact versions anew: pins that still fit stay, missing ones come; UPGRADE=--upgrade takes the newest
	$(LOCK) $(UPGRADE) --output-file constraints.txt pyproject.toml
	$(LOCK) --generate-hashes --constraint constraints.txt --output-file requirements.lock pyproject.toml
	$(PINS) --extra server --extra postgresql --generate-hashes --constraint constraints.txt --output-file examples/server/requirements.lock pyproject.toml
	printf 'build\nhatchling\n' | $(PINS) --generate-hashes --constraint constraints.txt --output-file .ci/build.lock -

package: .venv/ready ## wheel and source archive in dist/, installed and tried in fresh folders
	$(BIN)/python -m tests.package

clean: ## remove what make has made
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
