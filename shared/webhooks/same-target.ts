/** Whether two URLs of webhooks lead to the same target. Browsers use this file too. */

/** Returns whether requests to two URLs are the same: their fragments are not sent. False if one is not a URL. */
export const isSameTarget = (one: string, other: string): boolean => {
  const sent = sentPart(one);
  return sent !== undefined && sent === sentPart(other);
};

const sentPart = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null) return undefined;
  url.hash = '';
  return url.href;
};
