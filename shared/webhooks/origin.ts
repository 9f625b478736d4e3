/** Whether two targets are on the same server, as far as a URL shows. Browsers use this file too. */

/** Returns whether two URLs have the same scheme, host and port; false if one is not a URL. */
export const isSameOrigin = (one: string, other: string): boolean => {
  const origin = URL.parse(one)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
};
