"""Does a vision-language model perceive what is in front of it, or recall what is usually there?"""
