/** Begins a session in a browser: the writes, and the cookies that the browser gets. */
import { newSession, type Session, sessionMs } from '../accounts/session.ts';
import { beginning } from '../accounts/session-store.ts';
import type { StaffMember } from '../accounts/staff-member.ts';
import { browserCookie, readBrowserCookie, sessionCookie } from '../http/cookie.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Write } from '../table/transaction.ts';
import { browserMs, browserOf, rememberBrowser } from './browser.ts';

export interface Begun {
  readonly session: Session;
  /** All or nothing. */
  readonly writes: readonly Write[];
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** Returns a new session of a member for the browser that sent these headers. */
export const beginIn = (headers: HttpRequest['headers'], member: StaffMember, now: number): Begun => {
  const { session, cookie } = newSession(member.id, headers['user-agent'], now);
  const browser = browserOf(readBrowserCookie(headers));
  return {
    session,
    writes: [...beginning(session, member), rememberBrowser(browser, member.id, now)],
    cookies: [sessionCookie(cookie, sessionMs), browserCookie(browser, browserMs)],
  };
};
