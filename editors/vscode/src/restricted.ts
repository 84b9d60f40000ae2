/** Return the table that the server gets for the section `mkls`: in an untrusted folder nothing runs. */
export function forServer(table: unknown, trusted: boolean): unknown {
  if (trusted || typeof table !== "object" || table === null) return table;
  const run = (table as { run?: object }).run ?? {};
  return { ...table, run: { ...run, enabled: false, python: null, command: null } };
}
