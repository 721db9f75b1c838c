/** A variable that a `${NAME}` names and the environment lacks. */
export interface MissingVariable {
  readonly name: string;
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` in one scalar; `$${` stands for a literal `${`.
 * An empty variable counts as missing, as in a shell's `:-`.
 */
export function interpolate(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly missing: readonly MissingVariable[] } {
  const missing: MissingVariable[] = [];
  const replaced = text.replace(
    /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/gu,
    (whole, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined) return '${';
      const value = environment[name];
      if (value !== undefined && value !== '') return value;
      if (fallback !== undefined) return fallback;
      missing.push({ name });
      return whole;
    },
  );
  return { text: replaced, missing };
}
