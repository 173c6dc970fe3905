/** A delivery as a curl command. */

/** Within single quotes a shell interprets only the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const curlFor = (delivery: { url: string; event_id: string; event_type: string }, body: string, signature: string | null): string =>
  [
    `curl -i ${quoted(delivery.url)}`,
    `-H 'Content-Type: application/json'`,
    `-H ${quoted(`Service-Event: ${delivery.event_type}`)}`,
    `-H ${quoted(`Service-Delivery: ${delivery.event_id}`)}`,
    ...(signature === null ? [] : [`-H ${quoted(`Service-Signature: ${signature}`)}`]),
    `--data-binary ${quoted(body)}`,
  ].join(" \\\n  ");
