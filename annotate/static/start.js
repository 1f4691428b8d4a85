import { post } from "./saving.js";

const button = document.getElementById("write");
const status = document.getElementById("status");

button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    status.textContent = `${(await post(button.dataset.url)).pages} pages written`;
  } catch (error) {
    status.textContent = error.message;
  } finally {
    button.disabled = false;
  }
});
