/**
 * Tells whether two values that must not be kept are equal: 16 hexadecimal digits of an HMAC-SHA-256 under a key of this box. Among 100,000
 * values two different ones share a hash with a probability of 3 in 10 thousand million. Without the key nobody finds the value of
 * a hash by trying all telephone numbers.
 */
export interface KeyedHash {
  /** Equal values of different kinds (`phone`, `email`, `person`) have different hashes. */
  of(kind: string, value: string): string;
}
