/** A text that counts how many of its characters are looked at. */
class CountingText extends String {
  looks = 0;

  override charAt(index: number): string {
    this.looks += 1;
    return super.charAt(index);
  }

  override indexOf(part: string, from = 0): number {
    const found = super.indexOf(part, from);
    this.looks += 1 + (found < 0 ? this.length : found) - from;
    return found;
  }

  override slice(start = 0, end = this.length): string {
    this.looks += Math.max(0, end - start);
    return super.slice(start, end);
  }

  override trimEnd(): string {
    this.looks += this.length;
    return super.trimEnd();
  }
}

/** How many looks a function takes at the characters of a text. */
export function countLooks(text: string, read: (text: string) => unknown): number {
  const counting = new CountingText(text);
  read(counting as unknown as string);
  return counting.looks;
}
