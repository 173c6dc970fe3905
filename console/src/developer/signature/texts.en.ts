/** Texts of the signature checker. They load with it. */
export const enSignature = {
  signature: {
    title: "Signature checker",
    lead: "Does your server refuse our messages? Paste what it received to see which part is wrong.",
    private: "Everything is computed in your browser. Nothing you paste is sent.",
    body: "Raw body",
    bodyHint: "Exactly as received, before any parser.",
    header: "Service-Signature header",
    secret: "Secret",
    secretHint: "The secret of this address; it begins with whsec_",
    show: "Show the secret",
    clear: "Clear all",
    waiting: "Paste all three to see the result.",
    result: "Result",
    parts: { header: "Header format", signature: "Signature", time: "Time" },
    headerGood: "t and {{number}} × v1",
    headerFaults: {
      empty: "The header is empty.",
      no_t: "There is no t= part. The header looks like t=1763146931,v1=5f2a…: copy the whole header.",
      t_not_seconds: "t is not a time in seconds. It has ten digits; thirteen digits are milliseconds.",
      no_v1: "There is no v1= part. The header looks like t=1763146931,v1=5f2a…: copy the whole header.",
      v1_not_hex: "A v1 value is not 64 hexadecimal digits. It was probably cut off.",
    },
    good: "Genuine. Your server should accept this.",
    goodOne: "The signature matches.",
    goodFirst: "Signature {{position}} of {{number}} matches: this is the newest secret.",
    goodOlder: "Signature {{position}} of {{number}} matches: this is an older secret that ends soon. Put the new one on your server.",
    bad: "Not genuine. Your server should refuse this.",
    bodyCauses: {
      newline_added:
        "There are line breaks or spaces after the body that were not sent. Use the bytes as received, without an extra line break.",
      newline_lost: "The last line break of the body was lost. Do not trim the body before checking.",
      line_ends: "The line ends were changed from LF to CRLF. Read the body as bytes, not as text.",
      rewritten:
        "Your framework parsed and rewrote the body. Written as compact JSON again, the signature matches. Verify the raw bytes before any JSON parser runs.",
    },
    secretCauses: {
      spaces: "There are spaces, quotes or a line break around the secret. Without them it matches.",
      no_prefix: "The beginning of the secret is missing: whsec_ is part of it. With it the signature matches.",
    },
    likelyCauses: {
      secret_form: "No v1 matches, and the secret does not look like ours: whsec_ and 40 letters and digits. Copy the whole secret.",
      body_cut: "No v1 matches, and the body is not complete JSON. It was probably cut off or decoded wrongly.",
      body_or_secret:
        "No v1 matches, not even with the body as compact JSON: either its content changed, or this is the secret of another address.",
      secret:
        "No v1 matches, and the body looks unchanged. The secret is most likely wrong: it belongs to another address, or it was rotated. Rotate secret gives you a new one.",
    },
    times: {
      good: "{{age}} old: within five minutes.",
      old: "{{age}} old. Receivers refuse messages older than five minutes: this may be a captured message that was sent again, or you are checking an old message. Each real attempt is signed again.",
      future: "{{age}} in the future. Your server's clock is probably wrong.",
      oldNote: "This is expected when you check a message from a log.",
    },
    unknown: "not checked",
  },
};
