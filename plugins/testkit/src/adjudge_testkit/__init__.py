"""What plugin authors test with, and runners that hold adjudge against folders of cases."""
