/** Where the server is found: pure, so that the order can be tested without an editor. */

export interface ServerCommand {
  command: string;
  args: string[];
  /** Told to the user in the status item. */
  origin: string;
}

/** What the search looks at. */
export interface Surroundings {
  configuredPath: string;
  configuredInterpreter: string;
  /** An interpreter of an untrusted folder must not be started. */
  trusted: boolean;
  selectedInterpreter(): Promise<string | undefined>;
  onPath(name: string): Promise<string | undefined>;
  privateInterpreter(): Promise<string | undefined>;
  /** Whether `interpreter` can import mkls. */
  hasServer(interpreter: string): Promise<boolean>;
  exists(path: string): Promise<boolean>;
}

export class NotFoundError extends Error {}

/**
 * Find the server: the settings, the selected Python environment, `PATH`, the private environment.
 *
 * @returns undefined when there is none and nothing names one.
 * @throws NotFoundError when a setting names one that is not there.
 */
export async function findServer(around: Surroundings): Promise<ServerCommand | undefined> {
  return (await ofSettings(around)) ?? (await ofSelection(around)) ?? (await ofMachine(around));
}

async function ofSettings(around: Surroundings): Promise<ServerCommand | undefined> {
  const path = around.configuredPath;
  if (path) {
    if (!(await around.exists(path))) {
      throw new NotFoundError(`\`mkls.server.path\` names ${path}, which does not exist.`);
    }
    return { command: path, args: ["serve"], origin: "the setting mkls.server.path" };
  }
  const interpreter = around.configuredInterpreter;
  if (!interpreter) return undefined;
  if (!(await around.hasServer(interpreter))) {
    throw new NotFoundError(`\`mkls.interpreter\` names ${interpreter}, which cannot import mkls.`);
  }
  return inInterpreter(interpreter, "the setting mkls.interpreter");
}

async function ofSelection(around: Surroundings): Promise<ServerCommand | undefined> {
  if (!around.trusted) return undefined;
  const interpreter = await around.selectedInterpreter();
  if (!interpreter || !(await around.hasServer(interpreter))) return undefined;
  return inInterpreter(interpreter, "the selected Python environment");
}

async function ofMachine(around: Surroundings): Promise<ServerCommand | undefined> {
  const command = await around.onPath("mkls");
  if (command) return { command, args: ["serve"], origin: "PATH" };
  const interpreter = await around.privateInterpreter();
  if (!interpreter || !(await around.hasServer(interpreter))) return undefined;
  return inInterpreter(interpreter, "the private environment");
}

function inInterpreter(interpreter: string, origin: string): ServerCommand {
  return { command: interpreter, args: ["-m", "mkls", "serve"], origin };
}

/** Return the call of another command of the same mkls, such as `doctor`. */
export function siblingCall(server: ServerCommand, ...args: string[]): string[] {
  return [server.command, ...server.args.slice(0, server.args.lastIndexOf("serve")), ...args];
}
