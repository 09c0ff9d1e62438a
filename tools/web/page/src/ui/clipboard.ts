/** Copies text and pictures, if the browser allows it. */

export const today = (): string => new Date().toISOString().slice(0, 10).replaceAll("-", ".");

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a picture as PNG, or saves it. Returns whether it was copied. */
export async function copyPng(svg: string): Promise<boolean> {
  const blob = toPng(svg);
  try {
    // Safari allows the copy only in the task of the click, so the picture is a promise.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    return true;
  } catch {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await blob);
    link.download = "plumb.png";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    return false;
  }
}

async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png"),
  );
}
