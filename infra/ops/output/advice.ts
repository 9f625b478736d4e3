/** Why an attempt failed, and what to do: the sentences of the console. */
import { advice, causeOf, unknownTarget } from '../../../shared/webhooks/cause.ts';

/** Returns the advice for an attempt without success; `url` is its target, if it is known. */
export const adviceFor = (status: string | null, error: string | null, url: string | undefined): string => {
  if (url === undefined) {
    const sentence = advice[causeOf(status, error)](unknownTarget);
    return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
  }
  const { host, pathname } = new URL(url);
  return advice[causeOf(status, error)]({ host, path: pathname });
};
