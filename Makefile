# make run     installs what is missing, builds passconduit, imports a mailbox with five passes into a
#              library of its own, lists it and shows a pass
# make test    runs every test, repeated ones with some of their rounds. TEST_OPTIONS are those of
#              Tests/run, such as --filter MIMETests
# make endurance runs the repeated tests with all rounds
# make mutants adds one small defect at a time to a copy of the sources and reports whether a test fails;
#              MUTANTS names some of Tests/Mutants
# make build   builds the release programs
# make bench   measures scans, imports, deliveries, downloads, look-ups and windows against a reference in
#              the same run, and reports which ratios meet their targets; BENCH_OPTIONS are
#              passconduit-bench's, such as --only mbox --megabytes 100
# make fuzz    fuzzes the parsers of untrusted input: FUZZ_SECONDS (60) for each of FUZZ_TARGETS (all),
#              starting from the samples; what it finds is kept in .build/fuzz
# make install puts the programs, their man pages, completions and what the desktop and mail systems
#              read under PREFIX (/usr/local), below DESTDIR; make uninstall removes them
# make deb     makes the Debian packages of the release programs, in .build/deb; make check-deb installs
#              them on a bare Debian in a folder, uses them there, and looks at what is left afterwards
# make lint    checks the format
# make samples makes the samples again
# make messages brings the catalogues of desktop/po up to date with the words in the sources

SWIFT ?= swift
# One build serves all: the tests run the programs that are installed, and reach what is internal.
BUILD = $(SWIFT) build -c release -Xswiftc -enable-testing
PREFIX ?= /usr/local
PROGRAM = .build/release/passconduit
# Runs for each message that is delivered.
DELIVER = .build/release/passconduit-deliver
# The one that speaks to other computers, for passconduit alone.
FETCH = .build/release/passconduit-fetch
# The ones that draw: a window, and a picture.
VIEWER = .build/release/passconduit-viewer
RENDER = .build/release/passconduit-render
DEMO = .build/demo

BUILD_PACKAGES = libzip-dev libmagic-dev libssl-dev libsqlite3-dev pkg-config \
	zlib1g-dev liblzma-dev libzstd-dev libbz2-dev libpango1.0-dev libgdk-pixbuf-2.0-dev libgtk-4-dev \
	libzint-dev gettext
# dovecot-sieve also starts Dovecot, which serves nothing without the package of a protocol.
TEST_PACKAGES = python3 openssl faketime curl macutils gzip xz-utils zstd bzip2 pigz pbzip2 tabix time tnef gir1.2-gmime-3.0 python3-gi \
	desktop-file-utils shared-mime-info appstream libxml2-utils librsvg2-bin xdg-utils libglib2.0-bin \
	libfile-mimeinfo-perl mailcap mutt bsdutils file strace \
	procmail maildrop fdm dovecot-sieve getmail6 \
	neomutt \
	notmuch \
	man-db mandoc \
	poppler-utils zxing-cpp-tools imagemagick fonts-dejavu-core fonts-nanum \
	xvfb xdotool dbus at-spi2-core gir1.2-atspi-2.0 \
	bash-completion zsh fish
BENCH_PACKAGES = curl libpcre2-8-0 openssl ripgrep ripmime mpack sqlite3 valgrind gcc libc6-dev gir1.2-gmime-3.0 python3-gi \
	xvfb xdotool gtk-4-examples
DEB_PACKAGES = dpkg-dev lintian debootstrap python3 file poppler-utils
# libFuzzer is written in C++; the rest of it comes with Swift.
FUZZ_PACKAGES = python3 libstdc++-12-dev

# Such as TEST_OPTIONS='--filter MIMETests'.
TEST_OPTIONS ?=
BENCH_OPTIONS ?=
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=
MUTANTS ?=
# A build of its own: everything in it is instrumented.
FUZZ_BUILD = .build/fuzz/build

# Where zsh looks: Debian's packages have a folder of their own.
ZSH_FUNCTIONS ?= $(PREFIX)/share/zsh/site-functions

.PHONY: run test endurance mutants build bench fuzz install uninstall deb check-deb lint samples messages catalogues \
	packages test-packages bench-packages fuzz-packages deb-packages

run: build
	@rm -rf $(DEMO)
	$(PROGRAM) import --library $(DEMO) --trust-root Samples/demo/root.pem Samples/demo/inbox.mbox
	$(PROGRAM) list --library $(DEMO)
	$(PROGRAM) show 1 --card --library $(DEMO)
	@echo 'Next, in a window: $(VIEWER) --library $(DEMO) --trust-root Samples/demo/root.pem'
	@echo 'Next, your mail:   $(PROGRAM) import ~/Mail'

test: packages test-packages catalogues
	$(BUILD) --build-tests --quiet
	Tests/run $(TEST_OPTIONS)

endurance: packages test-packages catalogues
	$(BUILD) --build-tests --quiet
	PASSCONDUIT_ENDURANCE=1 Tests/run --tag repeats $(TEST_OPTIONS)

mutants: packages test-packages
	Tests/Mutants/run $(MUTANTS)

build: packages catalogues
	$(BUILD) --product passconduit
	$(BUILD) --product passconduit-deliver
	$(BUILD) --product passconduit-fetch
	$(BUILD) --product passconduit-render
	$(BUILD) --product passconduit-viewer

# The words in other languages, below the folder $(1).
put-catalogues = for catalogue in desktop/po/*.po; do \
	folder=$(1)/$$(basename $$catalogue .po)/LC_MESSAGES && mkdir -p $$folder && \
	msgfmt --check -o $$folder/passconduit.mo $$catalogue || exit 1; done

# Where the programs look that lie in .build.
catalogues: packages
	@$(call put-catalogues,$$($(BUILD) --show-bin-path)/../share/locale)

# xgettext takes Swift for C: a key is one literal, and no format.
messages: packages
	mkdir -p .build
	grep -rlE '(localized|counted|Sentence|Phrase)\(' Sources/[A-Z]* | LC_ALL=C sort | \
		xgettext --files-from=- --language=C --from-code=UTF-8 --no-location --package-name=passconduit \
		--keyword --keyword=localized:1 --keyword=counted:1,2 --keyword=Sentence:1 --keyword=Phrase:1 --output=.build/passconduit.pot
	sed -i '/^#, c-format$$/d' .build/passconduit.pot
	for catalogue in desktop/po/*.po; do \
		msgmerge --quiet --no-fuzzy-matching --no-location --backup=off --update $$catalogue .build/passconduit.pot; \
		msgattrib --no-obsolete --output-file=$$catalogue $$catalogue; done

bench: build bench-packages
	$(BUILD) --product passconduit-bench
	.build/release/passconduit-bench $(BENCH_OPTIONS)

# The two sanitizers in one option: given one by one, the order, which varies, decides whether
# coverage is counted. gold warns of each symbol of theirs, lld does not.
fuzz: packages fuzz-packages
	$(SWIFT) build -c release --scratch-path $(FUZZ_BUILD) --product passconduit-fuzz \
		--sanitize fuzzer -Xswiftc -sanitize=address,fuzzer -Xswiftc -use-ld=lld
	.ci/fuzz $(FUZZ_BUILD)/release/passconduit-fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# The files $(2), as they lie here, to the folder $(1); what can be run stays so.
mode = $(if $(shell [ -x $(1) ] && echo run),755,644)
put = $(foreach file,$(wildcard $(2)),install -D -m $(call mode,$(file)) $(file) \
	$(DESTDIR)$(1)/$(notdir $(file)) &&) true

# Builds nothing, so that root needs no Swift and owns nothing here.
install: SHARE = $(DESTDIR)$(PREFIX)/share
install:
	@for program in $(PROGRAM) $(DELIVER) $(FETCH) $(VIEWER) $(RENDER); do \
		test -x $$program || { echo 'first: make build' >&2; exit 1; }; done
	install -D -s -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/passconduit
	install -D -s -m 755 $(DELIVER) $(DESTDIR)$(PREFIX)/bin/passconduit-deliver
	install -D -s -m 755 $(FETCH) $(DESTDIR)$(PREFIX)/libexec/passconduit/passconduit-fetch
	install -D -s -m 755 $(RENDER) $(DESTDIR)$(PREFIX)/libexec/passconduit/passconduit-render
	install -D -s -m 755 $(VIEWER) $(DESTDIR)$(PREFIX)/bin/passconduit-viewer
	@umask 022 && $(call put-catalogues,$(SHARE)/locale)
	umask 022 && mkdir -p $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
		$(SHARE)/fish/vendor_completions.d $(DESTDIR)$(ZSH_FUNCTIONS) && \
	$(PROGRAM) manual $(SHARE)/man/man1 && \
	$(PROGRAM) completions bash > $(SHARE)/bash-completion/completions/passconduit && \
	$(PROGRAM) completions fish > $(SHARE)/fish/vendor_completions.d/passconduit.fish && \
	$(PROGRAM) completions zsh > $(DESTDIR)$(ZSH_FUNCTIONS)/_passconduit
	install -m 644 desktop/completions/passconduit-deliver.bash \
		$(SHARE)/bash-completion/completions/passconduit-deliver
	$(call put,$(PREFIX)/share/fish/vendor_completions.d,desktop/completions/*.fish)
	$(call put,$(ZSH_FUNCTIONS),desktop/completions/_*)
	$(call put,$(PREFIX)/share/man/man1,desktop/man/*.1)
	$(call put,$(PREFIX)/share/man/man5,desktop/man/*.5)
	$(call put,$(PREFIX)/share/applications,desktop/*.desktop)
	$(call put,$(PREFIX)/share/metainfo,desktop/*.metainfo.xml)
	$(call put,$(PREFIX)/share/mime/packages,desktop/mime/*.xml)
	$(call put,$(PREFIX)/share/icons/hicolor/scalable/apps,desktop/icons/apps/*Passconduit.svg)
	$(call put,$(PREFIX)/share/icons/hicolor/symbolic/apps,desktop/icons/apps/*-symbolic.svg)
	$(call put,$(PREFIX)/share/icons/hicolor/scalable/mimetypes,desktop/icons/mimetypes/*.svg)
	$(call put,$(PREFIX)/lib/systemd/user,desktop/systemd/user/*)
	$(call put,$(PREFIX)/share/doc/passconduit/examples,desktop/mail/*)
	@# Debian's update-mime looks there alone.
	[ $(PREFIX) != /usr ] || \
		install -D -m 644 desktop/mailcap $(DESTDIR)$(PREFIX)/lib/mime/packages/passconduit
	$(refresh)

# What is found in a trial installation is what is taken away; folders stay unless they are ours.
uninstall:
	@set -e; trial=$$(mktemp -d); trap 'rm -rf "$$trial"' EXIT; \
	$(MAKE) -s install DESTDIR="$$trial" && cd "$$trial" && \
	find . ! -type d | while read -r file; do rm -fv "$(DESTDIR)/$${file#./}"; done; \
	find . -depth -type d -path '*/passconduit*' | while read -r folder; do \
		[ ! -d "$(DESTDIR)/$${folder#./}" ] || \
			rmdir -v --ignore-fail-on-non-empty "$(DESTDIR)/$${folder#./}"; \
	done
	$(refresh)

# The desktop reads what these programs make of the files: without DESTDIR, this computer's.
define refresh
@[ -n "$(DESTDIR)" ] || for command in "update-mime-database share/mime" \
	"update-desktop-database -q share/applications" "gtk-update-icon-cache -qtf share/icons/hicolor"; do \
	! command -v $${command%% *} >/dev/null || ! [ -d $(PREFIX)/$${command##* } ] || \
		(cd $(PREFIX) && $$command) || true; \
done
endef

deb: build deb-packages
	desktop/debian/build

check-deb: deb
	.ci/deb .build/deb

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

samples: test-packages
	Samples/make-samples

# Installs what is missing and nothing else; asks for root only then.
define install-packages
	@command -v dpkg-query >/dev/null || exit 0; \
	missing=$$(for name in $(1); do \
		dpkg-query -W -f '$${Status}' $$name 2>/dev/null | grep -q 'install ok installed' \
			|| echo $$name; \
	done); \
	[ -z "$$missing" ] && exit 0; \
	sudo=; [ "$$(id -u)" -eq 0 ] || sudo=sudo; \
	command -v apt-get $$sudo >/dev/null || \
		{ echo "please install, as root:" $$missing >&2; exit 1; }; \
	export DEBIAN_FRONTEND=noninteractive; \
	$$sudo apt-get update -q && $$sudo apt-get install -y -q --no-install-recommends $$missing
endef

packages:
	$(call install-packages,$(BUILD_PACKAGES))

test-packages:
	$(call install-packages,$(TEST_PACKAGES))

bench-packages:
	$(call install-packages,$(BENCH_PACKAGES))
	@# Unpacked, as installing it would also start a server for the whole network.
	@[ -x /usr/sbin/nginx ] || [ -x .build/bench/nginx/usr/sbin/nginx ] || { \
		mkdir -p .build/bench/nginx && cd .build/bench/nginx && \
		apt-get download -q nginx && dpkg -x nginx_*.deb . && rm nginx_*.deb; }

fuzz-packages:
	$(call install-packages,$(FUZZ_PACKAGES))

deb-packages:
	$(call install-packages,$(DEB_PACKAGES))
