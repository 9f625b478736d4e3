/** The current version of the Admin API and of webhook payloads, as in `Content-Version`. */
export const currentApiVersion = 'v6.0';
