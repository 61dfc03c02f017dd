// The one door to the engine: every answer that the page shows comes through here.
import { ReadPrefError, call, callRaw, init } from 'readpref/load';

/** What went wrong, in the engine's words. */
export interface Problem {
  code: string;
  path: string;
  message: string;
}

export type Answer<T> = { answer: T; problem?: undefined } | { answer?: undefined; problem: Problem };

/** Fetches and starts the engine; its module lies beside the page's script, unless it is given. */
export function start(module?: Promise<Uint8Array>): Promise<void> {
  return init(() => module ?? new URL('readpref.wasm', import.meta.url));
}

/** Runs a method. What the engine refuses is a value here, and no exception: there is always something to show. */
export function ask<T>(method: string, request: unknown): Answer<T> {
  try {
    return { answer: call(method, request) as T };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** As `ask`, of a document's text as it is. */
export function askText<T>(method: string, text: string): Answer<T> {
  try {
    const { status, bytes } = callRaw(method, text);
    const document = JSON.parse(new TextDecoder().decode(bytes));
    return status === 0 ? { answer: document } : { problem: document.error };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** Whether the engine has a method: a page may be older or younger than its engine. */
export function hasMethod(name: string): boolean {
  return methodNames().has(name);
}

let names: Set<string> | undefined;

function methodNames(): Set<string> {
  names ??= new Set((call('methods') as { methods: { name: string }[] }).methods.map((method) => method.name));
  return names;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ReadPrefError) return error.toJSON().error;
  return { code: 'internal', path: '', message: error instanceof Error ? error.message : String(error) };
}
