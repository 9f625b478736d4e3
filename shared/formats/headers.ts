/** The names and values of headers that a webhook may add to its requests. */

export const maxHeaders = 10;
export const maxHeaderValue = 1000;

/** Names of the transport, of proxies that receivers trust (RFC 9110, 7.6.1; RFC 7239), and of other methods. */
const transport = [
  'accept-encoding',
  'cf-connecting-ip',
  'client-ip',
  'connection',
  'content-encoding',
  'content-length',
  'content-version',
  'cookie',
  'expect',
  'fastly-client-ip',
  'fly-client-ip',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'true-client-ip',
  'upgrade',
  'user-agent',
  'via',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
];

/** Returns why a header cannot have this name, as the end of a sentence. A template sets its own body. */
export const headerNameProblem = (name: string, isTemplate: boolean): string | undefined => {
  // CGI and its successors read `_` as `-` (RFC 3875, 4.1.18).
  const lower = name.toLowerCase().replaceAll('_', '-');
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name))
    return 'is no name of a header: letters, digits and hyphens, at most 100';
  if (transport.includes(lower) || lower.startsWith('x-forwarded-') || lower.startsWith('sec-'))
    return 'belongs to the transport, and cannot be set';
  if (
    lower.startsWith('webhook-') ||
    lower.startsWith('masthead-') ||
    lower === 'x-ghost-signature' ||
    lower === 'traceparent'
  )
    return 'is set by Masthead on every delivery';
  if (lower === 'content-type' && !isTemplate) return 'can be set with the format `template` only';
  return undefined;
};

/** Whether a value is printable ASCII without a space at its ends, and of a length that every server accepts. */
export const isHeaderValue = (value: string): boolean =>
  value.length <= maxHeaderValue && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value);
