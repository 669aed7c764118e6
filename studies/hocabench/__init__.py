"""A study of HOCA-Bench: do drawn and rendered clips of the same sub-types lead to the same verdicts?"""
