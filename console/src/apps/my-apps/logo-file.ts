/** Reads a logo file as a data URL that the server accepts: small, and in a raster format. */
export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"];

const SIDE_MAX = 128;
const BYTES_MAX = 64 * 1024;
/** Larger files take the browser long to decode. */
const FILE_BYTES_MAX = 12 * 1024 * 1024;

const bytesOf = (address: string): number => Math.floor(((address.length - address.indexOf(",") - 1) * 3) / 4);

const readAsIs = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."));
    reader.readAsDataURL(file);
  });

const draw = (picture: ImageBitmap): HTMLCanvasElement => {
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const paper = canvas.getContext("2d");
  if (!paper) throw new Error("This browser draws no pictures.");
  paper.imageSmoothingQuality = "high";
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
};

/** Null when the file is not an accepted picture. */
export const readLogo = async (file: File): Promise<string | null> => {
  if (!LOGO_TYPES.includes(file.type) || file.size > FILE_BYTES_MAX) return null;
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  const isSmall = picture.width <= SIDE_MAX && picture.height <= SIDE_MAX && file.size <= BYTES_MAX;
  if (isSmall) return readAsIs(file);
  const canvas = draw(picture);
  // A photograph can be too large as PNG.
  return [canvas.toDataURL("image/png"), canvas.toDataURL("image/webp", 0.85)].find((address) => bytesOf(address) <= BYTES_MAX) ?? null;
};
