/** The ten roles of Ghost. The last four are internal to integrations and cannot be assigned. */
export const ghostRoles = [
  { name: 'Administrator', description: 'Administrators' },
  { name: 'Editor', description: 'Editors' },
  { name: 'Author', description: 'Authors' },
  { name: 'Contributor', description: 'Contributors' },
  { name: 'Owner', description: 'Site owner' },
  { name: 'Super Editor', description: 'Editors who may also manage members' },
  { name: 'Admin Integration', description: 'External applications' },
  { name: 'Ghost Explore Integration', description: 'Internal integration for the explore directory' },
  { name: 'Self-Serve Migration Integration', description: 'Internal integration for migrations' },
  { name: 'Scheduler Integration', description: 'Internal integration for scheduled publishing' },
] as const;
