/** Requests to the Admin API: with the session's cookie, or with a token of the key that was pasted. */
import { semaphore } from '../../../shared/foundation/semaphore.ts';
import { tokenOf } from '../../token.ts';
import { createStore, type Store } from '../store.ts';
import { type ApiError, errorOf, OfflineError } from './problem.ts';

/** Scripts of the console lie at `<base URL>/console/<name>`. */
export const baseUrl = new URL('..', import.meta.url).href.replace(/\/$/, '');

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Query = Readonly<Record<string, string | undefined>>;

/** The pasted key, which exists only in this tab's memory. */
let key: string | undefined;

/** Uses a key, `{id}:{secret}`, for all further requests, or the session if it is undefined. */
export const useKey = (pasted: string | undefined): void => {
  key = pasted;
};

/** Counts the changes made in this tab; lists are read again after each. */
export const changes: Store<number> = createStore(0);

/** The paths of resources whose deletion this tab has sent: nobody asks for them again unless it fails. */
export const deletions: Store<readonly string[]> = createStore<readonly string[]>([]);

/** Returns whether a path leads to a resource that this tab deletes, or below one. */
export const isDeleted = (path: string): boolean => deletions.get().some((one) => path.startsWith(one));

/** Called when the API refuses a request for lack of credentials. */
let onRefusal: () => void = () => {};
export const listenForRefusals = (listener: () => void): void => {
  onRefusal = listener;
};

const credentials = async (): Promise<Record<string, string>> => {
  const token = key === undefined ? undefined : await tokenOf(key);
  return token === undefined ? {} : { Authorization: `Ghost ${token}` };
};

/** The answers that the page preloads beside its script, by URL: a browser gives each to the first equal request. */
const preloaded = new Map(
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=fetch]')].map(({ href }) => [href, fetch(href)]),
);
for (const answer of preloaded.values()) answer.catch(() => {});

/** They are not used when the page is older than this, in ms. */
const freshMs = 10_000;

/** Returns whether the page has asked for this, and nothing has used the answer yet. */
export const isPreloaded = (path: string): boolean =>
  key === undefined && performance.now() < freshMs && preloaded.has(`${baseUrl}${path}`);

/** A new account allows ten executions at once, and others need some of them. */
const inTurn = semaphore(4);

const send = async (method: Method, path: string, body: object | undefined, signal?: AbortSignal): Promise<unknown> => {
  const headers = {
    'Accept-Version': 'v6.0',
    ...(await credentials()),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const url = `${baseUrl}${path}`;
  const first = isPreloaded(path) ? preloaded.get(url) : undefined;
  preloaded.delete(url);
  let answer: Response;
  try {
    answer = await inTurn(
      () =>
        first ??
        fetch(url, {
          method,
          headers,
          cache: 'no-store',
          ...(body && { body: JSON.stringify(body) }),
          ...(signal && { signal }),
        }),
    );
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new OfflineError('No answer', { cause });
  }
  const text = await answer.text();
  const content = parsed(text);
  if (answer.ok) return content;
  const error = errorOf(answer.status, content);
  if (lacksCredentials(error)) {
    // The other answers are refusals, too.
    preloaded.clear();
    onRefusal();
  }
  throw error;
};

const parsed = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** After a session has ended, the API sees no credentials (403) or wrong ones (401). */
const lacksCredentials = ({ status, entry }: ApiError): boolean =>
  status === 401 || (status === 403 && key === undefined && /no credentials/i.test(entry.message));

const withQuery = (path: string, query: Query): string => {
  const filled = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`;
};

/** Reads a resource. @throws ApiError, OfflineError */
export const get = async <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  (await send('GET', withQuery(path, query), undefined, signal)) as T;

/** Sends a request that has a body but changes nothing, such as a preview. @throws ApiError, OfflineError */
export const ask = async <T>(path: string, body: object, signal?: AbortSignal): Promise<T> =>
  (await send('POST', path, body, signal)) as T;

/** Sends a change, after which visible lists are read again. @throws ApiError, OfflineError */
export const change = async <T = unknown>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> => {
  const answer = await send(method, path, body);
  refresh();
  return answer as T;
};

/** Has visible lists read again. */
export const refresh = (): void => changes.set(changes.get() + 1);

/** Sends a change without a body, one of many: the caller has the lists read again. @throws ApiError, OfflineError */
export const sendChange = async (method: 'POST' | 'DELETE', path: string): Promise<void> => {
  if (method === 'DELETE') deletions.set([...deletions.get(), path]);
  try {
    await send(method, path, undefined);
  } catch (error) {
    deletions.set(deletions.get().filter((one) => one !== path));
    throw error;
  }
};

/** Deletes a resource; visible lists are read again, but not the resource. @throws ApiError, OfflineError */
export const deleteResource = async (path: string): Promise<void> => {
  await sendChange('DELETE', path);
  refresh();
};
