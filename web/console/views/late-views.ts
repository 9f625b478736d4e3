/** What the first view does not need, in one file: with two, what they share with the first view would be in files of its own, each a request more. */
import { Audit } from './audit.tsx';
import { Invite } from './invite.tsx';
import { Members } from './members.tsx';
import { StatsChart } from './stats-chart.tsx';
import { EditWebhook, NewWebhook } from './webhook-form.tsx';

export const lateViews = { Audit, EditWebhook, Invite, Members, NewWebhook, StatsChart };
