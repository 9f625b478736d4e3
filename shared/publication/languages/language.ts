/** All texts of mails and pages in one language, as plain text: one file for mails and one for pages in each. */

export interface Invitation {
  readonly publication: string;
  /** Name and address of the staff member who invites; null for an integration. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
  readonly role: string;
  readonly address: string;
  /** The time at which the invitation expires, with its zone. */
  readonly until: string;
}

/** A page without a form: what has happened, and the next step. */
export interface Explanation {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export interface NoticeFacts {
  readonly count: number;
  /** When the first of the failures happened, with its zone. */
  readonly since: string;
  /** When webhooks that still fail will be disabled, with its zone. */
  readonly end: string;
  readonly keepDays: number;
  /** When the first webhook that its receiver has declined is deleted, with its zone. */
  readonly deletion: string;
}

export interface AccountFacts {
  readonly address: string;
  /** Who made the change; null for an integration or the operator. */
  readonly by: string | null;
  /** The other person, the previous or the new Owner, or the other address. */
  readonly other: string;
  readonly at: string;
}

type AccountNoticeKind =
  | 'token'
  | 'ownerReceived'
  | 'ownerGiven'
  | 'addressAsked'
  | 'addressChanged'
  | 'secretsRead'
  | 'invitesStopped';

interface AccountNoticeText {
  /** The subject and the title, with the name of the publication. */
  readonly title: (publication: string) => string;
  readonly made: (facts: AccountFacts) => string;
  readonly unexpected: string;
  /** What the button says, if not that of all notices. */
  readonly action?: string;
}

export interface Language {
  /** BCP 47. */
  readonly tag: string;
  readonly months: readonly string[];
  /** Writes a day of a month, such as `January 2027`, and a time of day, such as `08:00`. */
  readonly dateAndTime: (day: number, month: string, time: string) => string;
  /** Ghost's roles; roles of a stage keep their names. */
  readonly roles: Readonly<Record<string, string>>;
  /** In mails, before the address of the button above. */
  readonly buttonFallback: string;
  readonly signIn: {
    readonly action: string;
    /** The subject and the title, with the name of the publication. */
    readonly title: (publication: string) => string;
    /** Whose the link is, and for how long it works. */
    readonly validity: (facts: { readonly address: string; readonly minutes: number }) => string;
    readonly unexpected: string;
    /** The mail to an address that was asked for: its button, title and validity. */
    readonly change: {
      readonly action: string;
      readonly title: (publication: string) => string;
      readonly validity: (facts: { readonly address: string; readonly hours: number }) => string;
      readonly unexpected: string;
    };
  };
  readonly invitation: {
    readonly action: string;
    /** Whose the invitation is, and when it expires. */
    readonly validity: (invitation: Invitation) => string;
    readonly mail: {
      readonly subject: (invitation: Invitation) => string;
      /** Who invites to what, as what. */
      readonly title: (invitation: Invitation) => string;
      readonly unexpected: (invitation: Invitation) => string;
    };
  };
}

export interface PageTexts {
  readonly signIn: {
    readonly title: (name: string) => string;
    readonly lead: (address: string) => string;
    /** For a link that changes the address: the lead, and the button. */
    readonly change: (addresses: { readonly from: string; readonly to: string }) => string;
    readonly changeAction: string;
    readonly unexpected: string;
    /** Asks whether the person who is signed in is to be signed out. */
    readonly other: (current: { readonly name: string; readonly address: string }) => string;
    readonly instead: (name: string) => string;
    readonly stay: (name: string) => string;
    readonly dead: Explanation;
    readonly another: string;
    readonly failed: Readonly<Record<'unreadable' | 'ours', Explanation>>;
    readonly again: string;
  };
  /** Only `joined` names the publication, because its name is above every page. */
  readonly invitation: {
    readonly title: (invitation: Invitation) => string;
    readonly lead: (invitation: Invitation) => string;
    readonly name: string;
    readonly nameHint: string;
    readonly nameProblems: Readonly<Record<'missing' | 'too long' | 'not plain', string>>;
    /** Before the title of a page that reports an error in the form. */
    readonly errorPrefix: string;
    readonly unexpected: string;
    readonly welcome: (name: string) => string;
    /** For the person who has accepted, after a reload. */
    readonly alreadyJoined: Explanation;
    readonly joined: (invitation: Invitation) => string;
    readonly signIn: (invitation: Invitation) => string;
    readonly dead: Readonly<Record<'unknown' | 'used' | 'revoked' | 'superseded', Explanation>>;
    /** Who invited, and what sends a new link: the page's button if the invitation was mailed, else the inviter. */
    readonly expired: (invitation: Invitation, isMailed: boolean) => Explanation;
    /** The button that writes a mail to the inviter. */
    readonly askInviter: (name: string) => string;
    /** The button that mails a new link, and the page after it. */
    readonly again: string;
    readonly sentAgain: (address: string) => Explanation;
    /** Failed requests: too large, not sent by the form, or an internal error. */
    readonly failed: Readonly<Record<'too large' | 'unreadable' | 'ours', Explanation>>;
    readonly toConsole: string;
    readonly toInvitation: string;
  };
}

/** The texts of mails about webhooks and accounts, and of the page that confirms the address for them. */
export interface NoticeTexts {
  readonly account: Readonly<Record<AccountNoticeKind, AccountNoticeText>> & { readonly action: string };
  /** The mail and the page that ask the contact of an integration whether it wants mails about its webhooks. */
  readonly contact: {
    readonly title: (publication: string) => string;
    /** What the address is the contact of. */
    readonly lead: (integration: string) => string;
    readonly action: string;
    readonly unexpected: string;
    readonly done: Explanation;
  };
  /** What has happened, since when, and the consequences: for webhooks that fail, are disabled or were declined. */
  readonly summary: Readonly<Record<'failing' | 'disabled' | 'declined', (facts: NoticeFacts) => string>>;
  readonly someDisabled: (count: number) => string;
  /** The subject and title at the end, about one webhook or several; and what follows. */
  readonly worksAgain: (who: string, isOne: boolean) => string;
  readonly atHost: (host: string) => string;
  readonly recovered: string;
  /** The webhooks of the host that still fail, with the causes. */
  readonly stillFailing: (what: string) => string;
  readonly labels: Readonly<
    Record<'webhook' | 'webhooks' | 'integration' | 'receiver' | 'answer' | 'lastError' | 'waiting', string>
  >;
  readonly more: (count: number) => string;
  /** How many deliveries wait, as text, and until when the oldest is stored. */
  readonly waiting: (count: string, until: string) => string;
  /** Error classes of attempts that had no answer. */
  readonly errors: Readonly<Record<string, string>>;
  /** Why the reader gets the mail: a member, or the contact of an integration. */
  readonly why: Readonly<Record<'member' | 'contact', string>>;
  readonly often: string;
  readonly action: Readonly<Record<'failing' | 'recovered' | 'contact', string>>;
}
