/** What the first view does not need, in one file: with two, what they share would take a request more each. */
import { Audit } from './audit.tsx';
import { Invite } from './invite.tsx';
import { Members } from './members.tsx';
import { StatsChart } from './stats-chart.tsx';
import { EditWebhook, NewWebhook } from './webhook-form.tsx';

export const lateViews = { Audit, EditWebhook, Invite, Members, NewWebhook, StatsChart };
