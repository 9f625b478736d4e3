/** Why an attempt failed, for people, with one piece of advice each. For the console (in browsers), mails and ops. */

export const causes = [
  'credentials',
  'address',
  'gone',
  'pause',
  'redirect',
  'refused',
  'server',
  'dns',
  'connect',
  'tls',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_wrong_host',
  'tls_self_signed',
  'tls_unknown_issuer',
  'tls_client_certificate',
  'timeout',
  'reset',
  'protocol',
  'forbidden',
  'other',
] as const;
export type Cause = (typeof causes)[number];

const byStatus: Readonly<Record<string, Cause>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'address',
  405: 'address',
  410: 'gone',
  429: 'pause',
};

const byClass: Readonly<Record<string, Cause>> = { 3: 'redirect', 4: 'refused', 5: 'server' };

/** Returns the cause of an attempt from its status or its error (`last_status` and `last_error` of the API). */
export const causeOf = (status: string | null, error: string | null): Cause => {
  if (status !== null) return byStatus[status] ?? byClass[status.slice(0, 1)] ?? 'other';
  if (error === 'blocked') return 'forbidden';
  return causes.find((cause) => cause === error) ?? 'other';
};

/** Of the target URL. */
export interface Target {
  readonly host: string;
  readonly path: string;
}

/** Stands for a target that the reader may not see, or whose webhook is gone: each advice reads well with it, too. */
export const unknownTarget: Target = { host: 'the target', path: 'its path' };

export type Advice = Readonly<Record<Cause, (target: Target) => string>>;

/** By cause: what is wrong, and what to do. */
export const advice: Advice = {
  credentials: ({ host }) =>
    `${host} refuses the request. Check that the receiver has the webhook’s current secret, and that the webhook ` +
    'sends the headers that the receiver expects.',
  address: ({ host, path }) =>
    `${host} has nothing at ${path}. Check the target URL, and that the receiver is deployed there.`,
  gone: ({ host }) =>
    `${host} asked for no more deliveries. Ask its operator before you enable the webhook, or delete it.`,
  pause: ({ host }) => `${host} asked for a pause. Masthead waits and then continues. Raise the receiver’s rate limit.`,
  redirect: ({ host }) => `${host} redirects. Masthead does not follow redirects: enter the final URL as the target.`,
  refused: ({ host }) =>
    `${host} does not accept the request. The response says why; the event or its API version may not fit.`,
  server: ({ host }) => `The receiver at ${host} reports an error. Look in its log at the time of the attempt.`,
  dns: ({ host }) => `${host} was not found in the DNS. Check the spelling and the DNS record.`,
  connect: ({ host }) =>
    `Nothing accepts connections at ${host}. Check that the receiver is running, and check its port and firewall.`,
  tls: ({ host }) =>
    `There is no secure connection to ${host}. Check that the server supports HTTPS with TLS 1.2 or newer on that ` +
    'port.',
  tls_expired: ({ host }) => `The certificate of ${host} has expired. Renew it, restart the server, and send a ping.`,
  tls_not_yet_valid: ({ host }) =>
    `The certificate of ${host} is not valid yet. Check when it becomes valid, and check the clock of the server.`,
  tls_wrong_host: ({ host }) =>
    `The certificate at ${host} is for another name. Use one that is issued for ${host}, or enter the name in the ` +
    'certificate as the target.',
  tls_self_signed: ({ host }) =>
    `The certificate of ${host} is self-signed. Replace it with one from a public certificate authority, such as ` +
    'Let’s Encrypt.',
  tls_unknown_issuer: ({ host }) =>
    `The issuer of the certificate of ${host} is unknown. Use a public certificate authority, and have the server ` +
    'send the intermediate certificates too (the full chain).',
  tls_client_certificate: ({ host }) =>
    `${host} asks for a client certificate, which Masthead does not have. ` +
    'Let the server accept requests without one, and verify their signature instead.',
  timeout: ({ host }) =>
    `${host} does not answer within ten seconds. Answer first with 200, then do the work, for example through a queue.`,
  reset: ({ host }) =>
    `${host} closed the connection before it answered. Check for a crash, or for a proxy that ends the connection.`,
  protocol: ({ host }) =>
    `${host} does not answer with HTTP. Check the port of the target URL, and whether it should begin with https or ` +
    'http.',
  forbidden: ({ host }) =>
    `${host} leads to an address that is not allowed, such as a private network. Use a public address.`,
  other: ({ host }) => `Check the receiver at ${host}.`,
};
