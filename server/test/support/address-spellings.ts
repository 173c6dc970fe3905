/** Ways to write an address inside so that a reader does not see it. `PORT` stands for the port that listens there. */

/** This machine, the metadata service, and private networks, as browsers and libraries of C read them. */
const IPV4_HOSTS = `
2130706433 0x7f000001 0X7F000001 017700000001 0x7f.1 0x7f.0.0.1 0x7F.0x0.0x0.0x1 0177.0.0.1 0177.0.0.01 00000177.0.0.1 0177.1 127.1 127.1.
127.0.1 127.0.0.1. 0x7f.0.1 127.0x0.0.1 127.00.00.01 127.0.0.0x1 127.65535 127.0.65535 127.16777215 %31%32%37.0.0.1 127%2e0%2e0%2e1
%31%32%37%2E%30%2E%30%2E%31 0%78%37f.1 127。0。0。1 127．0．0．1 １２７.0.0.1 ①②⑦.⓪.⓪.① 0 0. 00 0x0 0.0 0.0.0 0.0.0.0. 0x00000000
167772161 0xa000001 012.0.0.1 10.1 0xa.1 2852039166 0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 0251.0376.0251.0376 169.254.43518 169.16689662
0251.254.169.254 3232235521 0xc0a80001 0300.0250.0.1 192.168.1 192.11010049 2886729729 0xac100001 0254.16.1 4294967295 0xffffffff`;

const IPV6_HOSTS = `
[::1] [0::1] [::0001] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::ffff:127.0.0.1] [::FFFF:127.0.0.1] [::ffff:7f00:1]
[0:0:0:0:0:FFFF:7F00:0001] [::127.0.0.1] [::] [0::] [0:0:0:0:0:0:0:0] [FE80::1] [FC00::1] [FD00:EC2::254] [FEC0::1] [FF02::1]
[64:FF9B::7F00:1] [64:ff9b::127.0.0.1] [2002:7F00:1::] [::ffff:a9fe:a9fe] [::FFFF:169.254.169.254]`;

/** These texts are no addresses, whatever they look like; none may be corrected into one. */
const BROKEN_HOSTS = `
127.0.0.256 127.0.0.1.1 1.2.3.4.5 08.0.0.1 0x100000000 4294967296 127.0.0.0x 256.1 [::1 ::1 [127.0.0.1] [::1]] [[::1]] [::ffff:127.1]
[::ffff:0x7f.1] [fe80::1%25eth0] [fe80::1%eth0] [::1%25lo] [::1%lo] [::1%251] [%3A%3A1] 127.0.0.1%00 127.0.0.1%0a 127.0.0.1%20`;

/** Names that mean this machine or its neighbours, if anything. */
const NAMES = `
localhost LOCALHOST localhost. foo.localhost localhost.localdomain ip6-localhost ip6-loopback broadcasthost postgres redis`;

const URLS = [
  "HTTPS://127.0.0.1:PORT/",
  "https:127.0.0.1:PORT",
  "https:/127.0.0.1:PORT/",
  "https:////127.0.0.1:PORT/",
  "https:\\\\127.0.0.1:PORT\\",
  " https://127.0.0.1:PORT/ ",
  "ht\ttps://127.0.0.1:PORT/",
  "https://127.0.\n0.1:PORT/",
  "https://127.0.0.1:PORT\\@8.8.8.8/",
  "https://127.0.0.1:PORT#@8.8.8.8/",
  "https://127.0.0.1:PORT?@8.8.8.8/",
  "https://127.0.0.1:0PORT/",
  "https://127.0.0.1:PORT:443/",
  "https://user@127.0.0.1:PORT/",
  "https://user:password@127.0.0.1:PORT/",
  "https://:password@127.0.0.1:PORT/",
  "https://@127.0.0.1:PORT/",
  "https://example.com@127.0.0.1:PORT/",
  "https://example.com:443@127.0.0.1:PORT/",
  "https://example.com%40127.0.0.1:PORT/",
  "https://example.com&@127.0.0.1:PORT#@example.com/",
  "https://localhost:PORT/%2e%2e/",
  "http://127.0.0.1:PORT/",
  "http://[::1]:PORT/",
  "http://localhost:PORT/",
  "//127.0.0.1:PORT/",
  "127.0.0.1:PORT",
  "localhost:PORT",
  "ftp://127.0.0.1:PORT/",
  "gopher://127.0.0.1:PORT/_PING",
  "redis://127.0.0.1:PORT/",
  "postgres://127.0.0.1:PORT/",
  "ws://127.0.0.1:PORT/",
  "wss://127.0.0.1:PORT/",
  "file:///etc/passwd",
  "file://127.0.0.1:PORT/",
  "unix:/run/postgresql/.s.PGSQL.5432",
  "data:text/plain,PORT",
  "blob:https://127.0.0.1:PORT/",
  "javascript:127.0.0.1:PORT",
  "https://",
  "https://:PORT/",
  "",
];

const split = (text: string): string[] => text.trim().split(/\s+/);

export const WRITTEN = [...[IPV4_HOSTS, IPV6_HOSTS, BROKEN_HOSTS, NAMES].flatMap(split).map((host) => `https://${host}:PORT/`), ...URLS];
