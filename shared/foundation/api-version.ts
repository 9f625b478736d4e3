/** The version of the admin API and of webhook payloads that is current: what `Content-Version` says. */
export const currentApiVersion = 'v6.0';
