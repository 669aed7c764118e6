// The page of a person in a study: fetches screens, shows them, sends votes.
const screen = document.getElementById("screen");
screen.textContent = "";
const answer = await fetch("next");
screen.append(JSON.stringify(await answer.json()));
