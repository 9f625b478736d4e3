/** AWS clients for tests: they wait as long as a test may take, because a request that is repeated can count twice. */

/** The modules with the limits that `client-timeouts.test.ts` and `client-settings.test.ts` test. */
export const clientModules = /shared\/aws\/(client-settings|mail)\.ts$/;

/** How long the product's AWS clients wait: busy parts answer later. */
export const clientLimit = /(answerMs =|Timeout:) [\d_]+/gi;

/** Returns the source of such a module, or of another one, with long limits. */
export const patient = (source: string): string => source.replace(clientLimit, '$1 300_000');
