/** Signature verification in four languages. Each snippet is a complete function that the tests run. */

const typescript = `import { createHmac, timingSafeEqual } from "node:crypto";

/** rawBody: the bytes as they came, before any JSON parser saw them. */
export function isFromComanda(rawBody: string, header: string, secret: string): boolean {
  const parts = header.split(",");
  const t = Number(parts.find((part) => part.startsWith("t="))?.slice(2));
  if (!(Math.abs(Date.now() / 1000 - t) <= 300)) return false;
  const expected = createHmac("sha256", secret).update(\`\${t}.\${rawBody}\`).digest();
  return parts
    .filter((part) => part.startsWith("v1="))
    .map((part) => Buffer.from(part.slice(3), "hex"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}`;

const python = `import hashlib, hmac, time

def is_from_comanda(raw_body: bytes, header: str, secret: str) -> bool:
    """raw_body: the bytes as they came, before any JSON parser saw them."""
    parts = [part.partition("=") for part in header.split(",")]
    t = next((value for name, _, value in parts if name == "t"), "")
    if not t.isdecimal() or abs(time.time() - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    given = [value for name, _, value in parts if name == "v1"]
    return any(hmac.compare_digest(expected.encode(), value.encode()) for value in given)`;

const php = `<?php
// $rawBody = file_get_contents('php://input'), before any JSON parser saw it.
function isFromComanda(string $rawBody, string $header, string $secret): bool
{
    $t = '';
    $given = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = array_pad(explode('=', $part, 2), 2, '');
        if ($name === 't') $t = $value;
        if ($name === 'v1') $given[] = $value;
    }
    if (!ctype_digit($t) || abs(time() - (int) $t) > 300) return false;
    $expected = hash_hmac('sha256', $t . '.' . $rawBody, $secret);
    foreach ($given as $value) {
        if (hash_equals($expected, $value)) return true;
    }
    return false;
}`;

const go = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// IsFromComanda wants the body as it came, before any JSON parser saw it.
func IsFromComanda(rawBody []byte, header, secret string) bool {
	var t string
	var given [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			t = value
		case "v1":
			if bytes, err := hex.DecodeString(value); err == nil {
				given = append(given, bytes)
			}
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)).Abs(); err != nil || age > 300*time.Second {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, signature := range given {
		if hmac.Equal(signature, expected) {
			return true
		}
	}
	return false
}`;

export const SNIPPETS = [
  { name: "TypeScript", code: typescript },
  { name: "Python", code: python },
  { name: "PHP", code: php },
  { name: "Go", code: go },
] as const;
