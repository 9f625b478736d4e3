/** The topics that the alarms of a stage notify, by severity. */

export type Severity = 'urgent' | 'notice';

export const topicOf: Readonly<Record<Severity, string>> = { urgent: 'alarms', notice: 'notices' };
