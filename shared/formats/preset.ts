/** What a format of a known service declares: its settings, when it fits, and how it renders an event. */
import type * as v from 'valibot';
import type { Fields, Rendered, Rendering } from './rendering.ts';

/** A format with its settings, as sent and as stored. A secret that a client sends as null keeps its value. */
export interface Format extends Fields {
  readonly type: string;
}

/** What formats read of a service's answer. */
export interface Answer {
  readonly status: number;
  /** By lower-case name: `retry-after`, and what else a format names. */
  readonly headers: Readonly<Partial<Record<string, string>>>;
  /** The first KiB of the body. */
  readonly excerpt: string;
}

export interface Preset<Settings> {
  /** The schemas of its settings; those of secrets are marked with `secret`. */
  readonly settings: v.ObjectEntries;
  /** Returns why a webhook for this event and target cannot have the format, as the end of a sentence. */
  readonly misfit?: (event: string, targetUrl: string) => string | undefined;
  /** Returns an answer as HTTP means it, where the service has a way of its own. */
  readonly read?: (answer: Answer) => Answer;
  readonly render: (rendering: Rendering, settings: Settings, targetUrl: string) => Rendered;
}
