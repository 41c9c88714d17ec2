# make run     installs missing packages, builds passconduit, imports a mailbox with five passes into a
#              separate library, lists it and shows a pass
# make test    runs every test, the repetitive ones with a part of their rounds. TEST_OPTIONS are options
#              of Tests/run, such as --filter MIMETests
# make endurance runs the repetitive tests with all rounds
# make mutants adds one small defect at a time to a copy of the sources and reports whether a test fails;
#              MUTANTS selects some of Tests/Mutants
# make build   builds the release programs
# make bench   measures scans, imports, deliveries, downloads, look-ups, windows, signing, pushes and serving
#              against a reference in the same run, and reports which ratios meet their targets; BENCH_OPTIONS are
#              options of passconduit-bench, such as --only mbox --megabytes 100
# make fuzz    fuzzes the parsers of untrusted input: FUZZ_SECONDS (60) for each of FUZZ_TARGETS (all),
#              starting from the samples; findings are in .build/fuzz
# make install installs the programs, man pages, completions, and files for the desktop and mail systems
#              under PREFIX (/usr/local), below DESTDIR; make uninstall removes them
# make deb     makes the Debian packages of the release programs, in .build/deb; make check-deb installs
#              them on a minimal Debian in a folder, uses them, and checks that their removal leaves nothing
# make check-samples builds the sample programs as packages outside this tree, and uses them
# make docs    makes the documentation of the libraries, in .build/docs
# make api     accepts the public declarations of the libraries as they are now
# make lint    checks the format, the imports, the places of sentences, the comparisons of untrusted text,
#              VIOLATIONS.md, and the manual pages
# make samples regenerates the samples
# make screenshots makes the pictures of the README and of software centres, in desktop/screenshots
# make messages updates the catalogues of desktop/po from the texts in the sources

SWIFT ?= swift
# One build for all uses: the tests run the installed programs and have access to internal declarations.
BUILD = $(SWIFT) build -c release -Xswiftc -enable-testing
PREFIX ?= /usr/local
PROGRAM = .build/release/passconduit
# Runs for each delivered message.
DELIVER = .build/release/passconduit-deliver
# The only program that uses the network; only passconduit starts it.
FETCH = .build/release/passconduit-fetch
# The programs that draw: into a window, and into a file.
VIEWER = .build/release/passconduit-viewer
RENDER = .build/release/passconduit-render
# The web service of an issuer. It is installed in bin, not in sbin, since issuers publish passes without being root.
SERVE = .build/release/passconduit-serve
DEMO = .build/demo

BUILD_PACKAGES = libzip-dev libarchive-dev libcurl4-openssl-dev libmagic-dev libssl-dev libsqlite3-dev pkg-config \
	zlib1g-dev liblzma-dev libzstd-dev libbz2-dev libpango1.0-dev libgdk-pixbuf-2.0-dev libgtk-4-dev \
	libzint-dev libp11-kit-dev libpq-dev gettext
# dovecot-sieve also starts Dovecot, which opens no port without the package of a protocol.
TEST_PACKAGES = python3 python3-cryptography openssl faketime curl macutils gzip xz-utils zip zstd bzip2 lz4 lzip ncompress p7zip-full libarchive-tools genisoimage pigz pbzip2 tabix time tnef gir1.2-gmime-3.0 python3-gi \
	desktop-file-utils shared-mime-info appstream libxml2-utils librsvg2-bin xdg-utils libglib2.0-bin \
	libfile-mimeinfo-perl mailcap mutt bsdutils file strace \
	procmail maildrop fdm dovecot-core dovecot-sieve getmail6 uw-mailutils \
	neomutt gnupg openssh-client softhsm2 \
	notmuch \
	man-db mandoc \
	poppler-utils zxing-cpp-tools imagemagick fonts-dejavu-core fonts-nanum \
	xvfb xdotool dbus at-spi2-core gir1.2-atspi-2.0 \
	bash-completion zsh fish
BENCH_PACKAGES = curl libpcre2-8-0 openssl ripgrep ripmime mpack sqlite3 valgrind gcc libc6-dev gir1.2-gmime-3.0 python3-gi \
	python3-cryptography xvfb xdotool gtk-4-examples wrk nghttp2-client
LINT_PACKAGES = python3 mandoc
SCREENSHOT_PACKAGES = python3 xvfb xdotool dbus imagemagick pango1.0-tools fonts-dejavu-core
DEB_PACKAGES = dpkg-dev lintian debootstrap python3 file poppler-utils
# libFuzzer needs the C++ library; everything else comes with Swift.
FUZZ_PACKAGES = python3 libstdc++-12-dev

# For example TEST_OPTIONS='--filter MIMETests'.
TEST_OPTIONS ?=
BENCH_OPTIONS ?=
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=
MUTANTS ?=
# A separate build, in which all code is instrumented.
FUZZ_BUILD = .build/fuzz/build

# The folders that zsh searches: Debian's packages have a separate one.
ZSH_FUNCTIONS ?= $(PREFIX)/share/zsh/site-functions

.PHONY: run test endurance mutants build programs bench fuzz install uninstall deb check-deb check-samples docs api lint samples messages catalogues \
	screenshots packages test-packages bench-packages fuzz-packages lint-packages deb-packages screenshot-packages

run: programs
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

build: programs
	$(BUILD) --product passconduit-serve

# All programs but the web service, whose build takes as long as that of the others.
programs: packages catalogues
	$(BUILD) --product passconduit
	$(BUILD) --product passconduit-deliver
	$(BUILD) --product passconduit-fetch
	$(BUILD) --product passconduit-render
	$(BUILD) --product passconduit-viewer

# Writes the compiled catalogues below the folder $(1).
put-catalogues = for catalogue in desktop/po/*.po; do \
	folder=$(1)/$$(basename $$catalogue .po)/LC_MESSAGES && mkdir -p $$folder && \
	msgfmt --check -o $$folder/passconduit.mo $$catalogue || exit 1; done

# The place where the programs in .build look for catalogues.
catalogues: packages
	@$(call put-catalogues,$$($(BUILD) --show-bin-path)/../share/locale)

# xgettext reads Swift as C: a key is one literal, and not a format string.
messages: packages
	mkdir -p .build
	grep -rlE --include='*.swift' '(localized|counted|Phrase)\(' Sources/[A-Z]* | LC_ALL=C sort | \
		xgettext --files-from=- --language=C --from-code=UTF-8 --no-location --package-name=passconduit \
		--keyword --keyword=localized:1 --keyword=counted:1,2 --keyword=Phrase:1 --output=.build/passconduit.pot
	sed -i '/^#, c-format$$/d' .build/passconduit.pot
	for catalogue in desktop/po/*.po; do \
		msgmerge --quiet --no-fuzzy-matching --no-location --backup=off --update $$catalogue .build/passconduit.pot; \
		msgattrib --no-obsolete --output-file=$$catalogue $$catalogue; done

screenshots: build screenshot-packages
	desktop/screenshots/make .build/release

bench: build bench-packages
	$(BUILD) --product passconduit-bench
	$(BUILD) --product push-probe
	.build/release/passconduit-bench $(BENCH_OPTIONS)
	[ -n "$(BENCH_OPTIONS)" ] || .build/release/passconduit-bench serve

# Both sanitizers are in one option: as two options they come in a varying order, which determines
# whether coverage is counted. gold warns about each of their symbols, lld does not.
fuzz: packages fuzz-packages
	$(SWIFT) build -c release --scratch-path $(FUZZ_BUILD) --product passconduit-fuzz \
		--sanitize fuzzer -Xswiftc -sanitize=address,fuzzer -Xswiftc -use-ld=lld
	.ci/fuzz $(FUZZ_BUILD)/release/passconduit-fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# Installs the files $(2) into the folder $(1); executable files stay executable.
mode = $(if $(shell [ -x $(1) ] && echo run),755,644)
put = $(foreach file,$(wildcard $(2)),install -D -m $(call mode,$(file)) $(file) \
	$(DESTDIR)$(1)/$(notdir $(file)) &&) true

# Writes the completion scripts for the shell $(1) to the files $(2)NAME$(3).
put-completions = $(PROGRAM) completions $(1) > $(2)passconduit$(3) && \
	$(SERVE) --generate-completion-script $(1) > $(2)passconduit-serve$(3)

# Builds nothing, so that root needs no Swift and owns no file in the checkout.
install: SHARE = $(DESTDIR)$(PREFIX)/share
install:
	@for program in $(PROGRAM) $(DELIVER) $(FETCH) $(VIEWER) $(RENDER) $(SERVE); do \
		test -x $$program || { echo 'first: make build' >&2; exit 1; }; done
	install -D -s -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/passconduit
	install -D -s -m 755 $(DELIVER) $(DESTDIR)$(PREFIX)/bin/passconduit-deliver
	install -D -s -m 755 $(FETCH) $(DESTDIR)$(PREFIX)/libexec/passconduit/passconduit-fetch
	install -D -s -m 755 $(RENDER) $(DESTDIR)$(PREFIX)/libexec/passconduit/passconduit-render
	install -D -s -m 755 $(VIEWER) $(DESTDIR)$(PREFIX)/bin/passconduit-viewer
	install -D -s -m 755 $(SERVE) $(DESTDIR)$(PREFIX)/bin/passconduit-serve
	@umask 022 && $(call put-catalogues,$(SHARE)/locale)
	umask 022 && mkdir -p $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
		$(SHARE)/fish/vendor_completions.d $(DESTDIR)$(ZSH_FUNCTIONS) && \
	$(PROGRAM) manual $(SHARE)/man/man1 && \
	$(call put-completions,bash,$(SHARE)/bash-completion/completions/,) && \
	$(call put-completions,fish,$(SHARE)/fish/vendor_completions.d/,.fish) && \
	$(call put-completions,zsh,$(DESTDIR)$(ZSH_FUNCTIONS)/_,)
	install -m 644 desktop/completions/passconduit-deliver.bash \
		$(SHARE)/bash-completion/completions/passconduit-deliver
	$(call put,$(PREFIX)/share/fish/vendor_completions.d,desktop/completions/*.fish)
	$(call put,$(ZSH_FUNCTIONS),desktop/completions/_*)
	$(call put,$(PREFIX)/share/man/man1,desktop/man/*.1)
	$(call put,$(PREFIX)/share/man/man5,desktop/man/*.5)
	$(call put,$(PREFIX)/share/man/man7,desktop/man/*.7)
	$(call put,$(PREFIX)/share/applications,desktop/*.desktop)
	$(call put,$(PREFIX)/share/metainfo,desktop/*.metainfo.xml)
	$(call put,$(PREFIX)/share/mime/packages,desktop/mime/*.xml)
	$(call put,$(PREFIX)/share/icons/hicolor/scalable/apps,desktop/icons/apps/*Passconduit.svg)
	$(call put,$(PREFIX)/share/icons/hicolor/symbolic/apps,desktop/icons/apps/*-symbolic.svg)
	$(call put,$(PREFIX)/share/icons/hicolor/scalable/mimetypes,desktop/icons/mimetypes/*.svg)
	$(call put,$(PREFIX)/lib/systemd/user,desktop/systemd/user/*)
	$(call put,$(PREFIX)/lib/systemd/system,desktop/systemd/system/*)
	$(call put,$(PREFIX)/share/doc/passconduit/examples,desktop/mail/*)
	$(call put,$(PREFIX)/share/doc/passconduit-serve/examples,desktop/serve/*)
	@# Debian's update-mime reads only this folder.
	[ $(PREFIX) != /usr ] || \
		install -D -m 644 desktop/mailcap $(DESTDIR)$(PREFIX)/lib/mime/packages/passconduit
	$(refresh)

# Removes the files that a trial installation has, and of the folders only our own.
uninstall:
	@set -e; trial=$$(mktemp -d); trap 'rm -rf "$$trial"' EXIT; \
	$(MAKE) -s install DESTDIR="$$trial" && cd "$$trial" && \
	find . ! -type d | while read -r file; do rm -fv "$(DESTDIR)/$${file#./}"; done; \
	find . -depth -type d -path '*/passconduit*' | while read -r folder; do \
		[ ! -d "$(DESTDIR)/$${folder#./}" ] || \
			rmdir -v --ignore-fail-on-non-empty "$(DESTDIR)/$${folder#./}"; \
	done
	$(refresh)

# Updates the caches that the desktop reads, unless DESTDIR is set.
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

check-samples: build
	.ci/samples

# PassPresentation imports the other public libraries.
docs: packages
	$(BUILD) --target PassPresentation
	.ci/docs pages .build/docs
	@echo 'The pages are in .build/docs. To read them:'
	@echo '  python3 -m http.server --bind 127.0.0.1 --directory .build/docs'
	@echo 'and open http://127.0.0.1:8000/documentation/'

api: packages
	$(BUILD) --target PassPresentation
	.ci/docs api --accept

lint: lint-packages
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Samples
	.ci/imports
	.ci/sentences
	.ci/comparisons
	.ci/violations
	mandoc -T lint -W warning desktop/man/*
	@# A backslash at the end of a line swallows the next word; mandoc does not report it.
	! grep -n '\\$$' desktop/man/*

samples: build test-packages
	Samples/make-samples

# Installs missing packages only, and needs root only for that.
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
	@# Unpacked, since installing it would also start a server.
	@[ -n "$(wildcard /usr/lib/postgresql/*/bin/initdb .build/postgresql/usr/lib/postgresql/*/bin/initdb)" ] || { \
		mkdir -p .build/postgresql && cd .build/postgresql && \
		for package in $$(apt-cache depends postgresql postgresql-client | sed -n 's/^  Depends: \(postgresql.*-[0-9]*\)$$/\1/p'); do \
			apt-get download -q $$package && dpkg -x $${package}_*.deb . && rm $${package}_*.deb; done; }

bench-packages:
	$(call install-packages,$(BENCH_PACKAGES))
	@# Unpacked, since installing it would also start a server that is open to the network.
	@[ -x /usr/sbin/nginx ] || [ -x .build/bench/nginx/usr/sbin/nginx ] || { \
		mkdir -p .build/bench/nginx && cd .build/bench/nginx && \
		apt-get download -q nginx && dpkg -x nginx_*.deb . && rm nginx_*.deb; }

fuzz-packages:
	$(call install-packages,$(FUZZ_PACKAGES))

lint-packages:
	$(call install-packages,$(LINT_PACKAGES))

deb-packages:
	$(call install-packages,$(DEB_PACKAGES))

screenshot-packages:
	$(call install-packages,$(SCREENSHOT_PACKAGES))
