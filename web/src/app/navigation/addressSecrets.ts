// What came in the fragment of a link, which browsers do not send: the token of a seat (#seat=...), or the text that
// recovers a guest (#recover=...).

/**
 * Such a secret, if there is one. It is taken out of the address, so that nobody reads it over a shoulder or sends it on by
 * accident.
 */
export function takeFromAddress(name: "seat" | "recover"): string | null {
  const secret = new URLSearchParams(location.hash.slice(1)).get(name);
  if (secret !== null) history.replaceState(null, "", location.pathname + location.search);
  return secret || null;
}
