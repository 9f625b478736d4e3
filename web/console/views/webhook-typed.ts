/** What is typed into the form of a webhook, and what follows from its target until somebody changes it. */
import type { WritableField } from '../../../shared/webhooks/webhook.ts';
import { type Draft, type FormatType, newDraft } from '../api/options.ts';
import { applicationIn, formatFor, usualEventsOf, usualPauseOf } from '../api/service.ts';

/** The form offers every field but the API version, which new webhooks do not choose. */
export type Fields = Readonly<Record<Exclude<WritableField, 'api_version'>, string>>;

export interface Typed {
  readonly fields: Fields;
  readonly draft: Draft;
}

export const newTyped: Typed = {
  fields: { event: usualEventsOf('ghost'), target_url: '', name: '' },
  draft: newDraft,
};

/** Returns the form with another format. A new webhook's events and pause follow it, unless they were changed. */
export const withFormat = ({ fields, draft }: Typed, type: FormatType, isNew: boolean): Typed => {
  const isUsual = isNew && fields.event === usualEventsOf(draft.type);
  const isUsualPause = isNew && draft.debounce.seconds === usualPauseOf(draft.type);
  const debounce = isUsualPause ? { ...draft.debounce, seconds: usualPauseOf(type) } : draft.debounce;
  return {
    fields: isUsual ? { ...fields, event: usualEventsOf(type) } : fields,
    draft: { ...draft, type, debounce },
  };
};

/** Returns the form with another target. The format follows it, unless it was changed. */
export const withTarget = ({ fields, draft }: Typed, target_url: string, isNew: boolean): Typed => {
  const application_id = draft.settings.algolia?.application_id ?? '';
  const isTyped = application_id !== (applicationIn(fields.target_url) ?? '');
  const algolia = { ...draft.settings.algolia, ...(!isTyped && { application_id: applicationIn(target_url) ?? '' }) };
  const moved = {
    fields: { ...fields, target_url },
    draft: { ...draft, settings: { ...draft.settings, algolia } },
  };
  return draft.type === formatFor(fields.target_url) ? withFormat(moved, formatFor(target_url), isNew) : moved;
};
