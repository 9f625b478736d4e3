/** Who uses the console: a staff member with a session or a key, or no one yet. */
import { change, changes, get, listenForRefusals, useKey } from './api/client.ts';
import { ApiError } from './api/problem.ts';
import type { User } from './api/resources.ts';
import { createStore, useStore } from './store.ts';

export type Session =
  /** Not known yet: the first request is still running. */
  | { readonly state: 'starting' }
  /** The first request failed, but not for lack of credentials. */
  | { readonly state: 'unknown'; readonly error: unknown }
  | { readonly state: 'signed out' }
  | { readonly state: 'signed in'; readonly user: User; readonly by: 'session' | 'key' }
  /** The session ended or the key was replaced. The view and everything typed stay in place below the sign-in. */
  | { readonly state: 'expired'; readonly user: User };

const session = createStore<Session>({ state: 'starting' });

export const useSession = (): Session => useStore(session);

/** Returns the member who is signed in. */
export const useMember = (): User | undefined => {
  const current = useSession();
  return current.state === 'signed in' || current.state === 'expired' ? current.user : undefined;
};

const me = async (): Promise<User> => {
  const { users } = await get<{ users: [User] }>('/admin/users/me/', { include: 'roles' });
  return users[0];
};

/** Finds out whether the browser has a session. */
export const resume = async (): Promise<void> => {
  try {
    session.set({ state: 'signed in', user: await me(), by: 'session' });
  } catch (error) {
    const isSignedOut = error instanceof ApiError && (error.status === 401 || error.status === 403);
    session.set(isSignedOut ? { state: 'signed out' } : { state: 'unknown', error });
  }
};

/** Continues after another tab has signed in, such as by a mailed link. Does nothing without a session. */
export const continueSession = async (): Promise<void> => {
  const user = await me();
  if (session.get().state === 'expired') enter({ state: 'signed in', user, by: 'session' });
};

/** Read again what was refused in the meantime. */
const enter = (next: Extract<Session, { state: 'signed in' }>): void => {
  session.set(next);
  changes.set(changes.get() + 1);
};

/** Requests a mail with a link. The answer is the same for every address. @throws ApiError, OfflineError */
export const requestLink = (email: string): Promise<unknown> =>
  change('POST', '/admin/session/', { sessions: [{ email }] });

/** Signs in with a staff access token, `{id}:{secret}`, until the tab closes. @throws ApiError, OfflineError */
export const signInWithKey = async (key: string): Promise<void> => {
  useKey(key);
  try {
    enter({ state: 'signed in', user: await me(), by: 'key' });
  } catch (error) {
    useKey(undefined);
    throw error;
  }
};

/** Changes the name of the member who is signed in. @throws ApiError, OfflineError */
export const rename = async (name: string): Promise<void> => {
  const { users } = await change<{ users: [User] }>('PUT', '/admin/users/me/?include=roles', { users: [{ name }] });
  const current = session.get();
  if (current.state === 'signed in') session.set({ ...current, user: users[0] });
};

/** Ends the session, or forgets the key. @throws ApiError, OfflineError */
export const signOut = async (): Promise<void> => {
  const current = session.get();
  if (current.state === 'signed in' && current.by === 'session') await change('DELETE', '/admin/session/');
  useKey(undefined);
  session.set({ state: 'signed out' });
};

listenForRefusals(() => {
  const current = session.get();
  if (current.state !== 'signed in') return;
  useKey(undefined);
  session.set({ state: 'expired', user: current.user });
});
