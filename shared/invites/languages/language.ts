/** What the invitation says, in one language: the mail and the page. A language is one file beside this one. */
import type { DeadLink } from '../accept.ts';

/** Why the page could not be answered: what came was too large, or no form of ours, or the fault is our own. */
export type PageFailure = 'too large' | 'unreadable' | 'ours';

/** What both speak of; all of it is plain text. */
export interface Invitation {
  readonly publication: string;
  /** Name and address of the staff member who invites; null where an integration did. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
  /** The role's name in this language. */
  readonly role: string;
}

interface Explanation {
  readonly title: string;
  /** What has happened, and what to do. */
  readonly paragraphs: readonly string[];
}

export interface Language {
  /** BCP 47. */
  readonly tag: string;
  /** For `Intl`, which needs a region to write dates as people there do. */
  readonly locale: string;
  /** Roles as one speaks of them; those of a stage's own keep their names. */
  readonly roles: Readonly<Record<string, string>>;
  readonly labels: {
    readonly publication: string;
    readonly role: string;
    readonly address: string;
    readonly invitedBy: string;
    readonly validUntil: string;
  };
  readonly title: (invitation: Invitation) => string;
  /** Who invites to what, as what. */
  readonly lead: (invitation: Invitation) => string;
  readonly action: string;
  /** A point in time, formatted, with its zone. */
  readonly mail: {
    readonly subject: (invitation: Invitation) => string;
    readonly once: (until: string) => string;
    readonly otherwise: string;
    readonly mistakeTitle: string;
    readonly mistake: (invitation: Invitation) => string;
  };
  readonly page: {
    readonly name: string;
    readonly nameHint: string;
    readonly nameMissing: string;
    readonly nameTooLong: string;
    /** Before the title of a page that reports a mistake in the form. */
    readonly errorPrefix: string;
    readonly mistake: string;
    readonly accepted: (invitation: Invitation, name: string) => Explanation;
    readonly dead: Readonly<Record<DeadLink, (publication: string) => Explanation>>;
    readonly failed: Readonly<Record<PageFailure, Explanation>>;
    readonly toPublication: (publication: string) => string;
  };
}
