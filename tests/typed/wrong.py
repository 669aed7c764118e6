"""Mistakes in a user's script, each of which mypy finds in its line, with the code that is named there."""

import veridical as v

v.run("set", "m", modle_args={})  # error: call-arg
v.run("set", "m", temperature="hot")  # error: arg-type
v.run("set", "m", show="loud")  # error: arg-type
v.make(3)  # error: arg-type
v.compare("a")  # error: call-arg
v.plan("set", image_tokens="many")  # error: arg-type
print(v.write_trials("set", "out").trials)  # error: attr-defined
v.people.sample("set", "out")  # error: call-arg
v.people.ask("set")  # error: attr-defined
v.open_run("run").estimates().frames()  # error: attr-defined
v.Stage(name="ask", trials="none")  # error: arg-type
v.Reader(name="r", version=1, parse=lambda text, _: v.ParsedAnswer(text))  # error: arg-type
print(v.nothing_like_it)  # error: attr-defined
v.simple_suite(name="small", items=[{"picture": "a.png"}], options="numbers", tolerance="1")  # error: arg-type
