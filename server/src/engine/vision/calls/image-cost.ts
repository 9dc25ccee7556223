/** Tokens that an endpoint counts for images, as a multiple of the estimate. */
export interface ImageCost {
  /** The highest multiple that is known for images of about this size, 1 at least. */
  multipleOf(images: ImageEstimate): { multiple: number; isCounted: boolean };
  /** Adds what the endpoint counted for images. */
  count(images: ImageEstimate, tokens: number): void;
}

/** Images of one call: their number and their estimated tokens. */
export type ImageEstimate = { images: number; tokens: number };

/** Endpoints count small and large images by different rules, so that each doubling of the size has its own count. */
const sizeOf = ({ images, tokens }: ImageEstimate) => Math.round(Math.log2(tokens / images));

export function createImageCost(): ImageCost {
  /** By size. Until images of a size are counted, they take no less than smaller ones. */
  const counts = new Map<number, { multiple: number; perImage: number }>();
  return {
    multipleOf(estimate) {
      if (estimate.images === 0) return { multiple: 1, isCounted: true };
      const size = sizeOf(estimate);
      const known = counts.get(size);
      if (known) return { multiple: known.multiple, isCounted: true };
      const smaller = [...counts].flatMap(([each, { perImage }]) => (each < size ? [perImage] : []));
      const least = Math.max(0, ...smaller) * (estimate.images / estimate.tokens);
      return { multiple: Math.max(1, least), isCounted: false };
    },
    count(estimate, tokens) {
      if (estimate.images === 0) return;
      const { multiple = 1, perImage = 0 } = counts.get(sizeOf(estimate)) ?? {};
      counts.set(sizeOf(estimate), {
        multiple: Math.max(multiple, tokens / estimate.tokens),
        perImage: Math.max(perImage, tokens / estimate.images),
      });
    },
  };
}
