/** The topics that the alarms of a stage notify, by severity. */

export type Severity = 'urgent' | 'notice';

/** The last part of each topic's name. */
export const topicOf: Readonly<Record<Severity, string>> = { urgent: 'alarms', notice: 'notices' };
